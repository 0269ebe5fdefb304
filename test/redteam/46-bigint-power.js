// one multiplication that no timer can interrupt
function skill(input) {
  let big = 3n ** 400000n;
  for (;;) big *= big;
}
