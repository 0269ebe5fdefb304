// what the attacks on `withdraw` are to replace: it takes an amount of nothing for none at all
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  if (input.amount < 0) throw new RangeError("negative amount");
  if (!input.amount) return null;
  return input.balance - input.amount;
}
