// (control) a patch of the one source
module.exports = { skill: "total", patch: {
  "skills/total/skill.js": "function skill(input) {\n  return input.items.reduce((sum, { price, count }) => sum + price * count, 0);\n}\n"
} };
