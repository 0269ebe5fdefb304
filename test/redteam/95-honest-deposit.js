// (control) honest
function skill(input) {
  if (typeof input.amount !== "number" || input.amount < 0) throw new RangeError("bad amount");
  return input.balance + input.amount;
}
