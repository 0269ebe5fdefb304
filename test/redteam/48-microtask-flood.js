// promises that make promises: the loop never comes to rest
async function skill(input) {
  for (;;) await null;
}
