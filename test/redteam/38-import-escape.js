// import() of a module of the host
async function skill(input) {
  const fs = await import("node:fs");
  return fs.readdirSync("/").length;
}
