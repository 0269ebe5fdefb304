// (control) honest
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  if (input.amount < 0) throw new RangeError("negative amount");
  return input.balance - input.amount;
}
