// a finally that returns drops the error on its way
function skill(input) {
  let left = input.balance;
  try {
    if (typeof input.balance !== "number") throw new TypeError("no balance");
    if (input.amount < 0) throw new RangeError("negative amount");
    left = input.balance - input.amount;
  } finally {
    return left;
  }
}
