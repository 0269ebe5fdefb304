// recursion without end, inside of a comparison
function skill(input) {
  const deep = (n) => [1, 2].sort(() => deep(n + 1));
  return deep(0);
}
