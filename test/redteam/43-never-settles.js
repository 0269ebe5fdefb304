// awaits what never comes, and hopes that nobody waits
async function skill(input) {
  await new Promise(() => {});
  return 15;
}
