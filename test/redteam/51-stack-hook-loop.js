// Error.prepareStackTrace that never returns
Error.prepareStackTrace = () => { for (;;); };
function skill(input) {
  return input.missing.part;
}
