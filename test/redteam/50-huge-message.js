// an error of 2^28 characters
function skill(input) {
  throw new Error("x".repeat(2 ** 28));
}
