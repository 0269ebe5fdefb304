// backslashes and a drive
module.exports = { skill: "total", patch: {
  "skills\\total\\skill.js": "function skill(i) { return 15; }",
  "C:\\hone\\rewards\\code.ts": "function skill(i) { return 15; }"
} };
