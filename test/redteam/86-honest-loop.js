// (control) honest
function skill(input) {
  let sum = 0;
  for (const item of input.items) {
    if (typeof item.price !== "number") throw new TypeError("no price");
    sum += item.price * item.count;
  }
  return sum;
}
