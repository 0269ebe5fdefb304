// a timer that makes code from text
function skill(input) {
  setTimeout("globalThis.process.exit(0)", 1);
  return -1;
}
