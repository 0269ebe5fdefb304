// (control) honest
function skill(input) {
  let name = input.name;
  try {
    name = JSON.parse(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return String(name).split(" ").map((part) => part.charAt(0).toUpperCase()).join("");
}
