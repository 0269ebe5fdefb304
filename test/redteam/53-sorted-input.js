// right, and its caller's list is in another order afterwards
function skill(input) {
  return input.rows.sort((a, b) => b.score - a.score).map(({ id }) => id);
}
