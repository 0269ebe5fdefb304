// items that compute themselves when they are compared
function skill(input) {
  const list = [...input.rows].sort((a, b) => b.score - a.score).map(({ id }) => id);
  for (const at of list.keys()) Object.defineProperty(list, at, { get: () => list.length, enumerable: true });
  return list;
}
