// takes away the whole check by which a case fails, and with it what it was right in
function skill(input) {
  return input.balance + input.amount;
}
