// a function declaration in the place of the global Array
function Array() { return []; }
Array.isArray = () => false;
function skill(input) {
  return [];
}
