// (control) honest
const known = new Map();
function skill(input) {
  const key = JSON.stringify(input);
  if (known.size > 100) known.clear();
  if (!known.has(key)) known.set(key, input.items.reduce((sum, { price, count }) => sum + price * count, 0));
  return known.get(key);
}
