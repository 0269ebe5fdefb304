// the right list, and more behind it that a loop over the expected ones does not see
function skill(input) {
  return [...[...input.rows].sort((a, b) => b.score - a.score).map(({ id }) => id), "more"];
}
