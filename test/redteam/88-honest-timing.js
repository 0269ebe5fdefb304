// (control) honest
function skill(input) {
  const start = performance.now();
  const ids = [...input.rows].sort((a, b) => b.score - a.score).map(({ id }) => id);
  if (performance.now() - start > 60000) throw new Error("too slow");
  return ids;
}
