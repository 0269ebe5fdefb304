// counts its calls in the lastIndex of a pattern
const tape = "x".repeat(90);
const reader = /x/g;
function skill(input) {
  const goes = reader.test(tape);
  return goes ? input.name.split(" ").map((part) => part[0].toUpperCase()).join("") : "";
}
