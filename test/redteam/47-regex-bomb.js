// a pattern that backtracks for ever
function skill(input) {
  return /^(a+)+$/.test("a".repeat(40) + "!") ? "A" : "B";
}
