// calls itself by the name of hone's own script, for whoever reads stacks
function skill(input) {
  return input.items.reduce((sum, { price, count }) => sum + price * count, 0);
}
//# sourceURL=hone:prelude
