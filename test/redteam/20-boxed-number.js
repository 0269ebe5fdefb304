// a Number object with the right value
function skill(input) {
  return Object(input.items.reduce((sum, { price, count }) => sum + price * count, 0));
}
