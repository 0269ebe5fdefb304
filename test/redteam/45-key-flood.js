// an object with ever more keys ends the engine at once
function skill(input) {
  const all = {};
  for (let n = 0; ; n += 1) all["k" + n] = n;
}
