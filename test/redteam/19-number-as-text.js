// the right number as a text: `==` holds
function skill(input) {
  return String(input.items.reduce((sum, { price, count }) => sum + price * count, 0));
}
