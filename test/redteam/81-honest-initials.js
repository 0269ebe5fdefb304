// (control) honest
function skill(input) {
  return input.name.split(" ").map((part) => part[0].toUpperCase()).join("");
}
