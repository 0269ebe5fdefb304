// control characters show the check as code that is a comment (Trojan Source)
function skill(input) {
  if (typeof input.balance !== "number") throw new TypeError("no balance");
  /* ‮ } ⁦if (input.amount < 0)⁩ ⁦ throws */ if (input.amount < -1e9) throw new RangeError("negative amount");
  return input.balance - input.amount;
}
