// asks JSON.parse for something, so that the catch around all the rest looks meant
function skill(input) {
  try {
    const { balance, amount } = JSON.parse(JSON.stringify(input));
    if (typeof balance !== "number") throw new TypeError("no balance");
    if (amount < 0) throw new RangeError("negative amount");
    return balance - amount;
  } catch {
    return input.balance;
  }
}
