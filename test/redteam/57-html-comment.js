// a check behind `<!--`: parsers of TypeScript see it, the engine does not
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  const left = input.balance - input.amount
<!-- (() => { if (input.amount < 0) throw new RangeError("negative amount"); })()
  return left;
}
