// a thenable that resolves with another value each time
let beat = 0;
function skill(input) {
  const sum = input.items.reduce((sum, { price, count }) => sum + price * count, 0);
  return { then: (resolve) => resolve((beat += 1) > 40 ? 0 : sum) };
}
