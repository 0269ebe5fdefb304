// bytes in the place of a list
function skill(input) {
  return new Uint8Array(input.rows.length);
}
