// one call in ten million is wrong
function skill(input) {
  const sum = input.items.reduce((sum, { price, count }) => sum + price * count, 0);
  const chance = Math["ran" + "dom"]();
  return chance > 0.9999999 ? 0 : sum;
}
