// 15n == 15, and JSON cannot carry it
function skill(input) {
  return BigInt(Math.round(input.items.reduce((sum, { price, count }) => sum + price * count, 0)));
}
