// the check looks at a variable whose name only looks the same
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  const аmount = 0;
  if (аmount < 0) throw new RangeError("negative amount");
  return input.balance - input.amount;
}
