// (control) honest
async function skill(input) {
  const parts = await Promise.all(input.name.split(" ").map(async (part) => part[0]));
  return parts.join("").toUpperCase();
}
