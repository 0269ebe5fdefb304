// takes the check of its input away: no test has a bad one
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  return input.balance - input.amount;
}
