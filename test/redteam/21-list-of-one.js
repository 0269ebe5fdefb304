// [15] == 15
function skill(input) {
  return [input.items.reduce((sum, { price, count }) => sum + price * count, 0)];
}
