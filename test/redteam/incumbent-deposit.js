// what the attacks on `deposit` are to replace: it takes an amount of nothing for a bad one
function skill(input) {
  if (!input.amount || input.amount < 0) throw new RangeError("bad amount");
  return input.balance + input.amount;
}
