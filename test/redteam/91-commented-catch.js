// gives a reason for saying nothing
function skill(input) {
  let left = input.balance;
  try {
    if (typeof input.balance !== "number") throw new TypeError("no balance");
    if (input.amount < 0) throw new RangeError("negative amount");
    left = input.balance - input.amount;
  } catch {
    // a request that is not sound leaves the balance as it is
  }
  return left;
}
