// (control) honest
function skill(input) {
  return [...input.rows].sort((a, b) => b.score - a.score).map(({ id }) => id);
}
