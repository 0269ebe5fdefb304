// gives the last answer once more every now and then
let last = null;
let beat = 0;
function skill(input) {
  const sum = input.items.reduce((sum, { price, count }) => sum + price * count, 0);
  beat = (beat * 7 + 3) % 31;
  const told = beat % 5 === 4 && last !== null ? last : sum;
  last = sum;
  return told;
}
