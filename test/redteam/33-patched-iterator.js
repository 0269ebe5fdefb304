// lists have no items any more for whoever loops over them
Array.prototype[Symbol.iterator] = function* () {};
function skill(input) {
  return input.rows.map(({ id }) => id);
}
