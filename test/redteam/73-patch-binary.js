// NUL in the text, for whoever reads up to it
module.exports = { skill: "total", patch: {
  "skills/total/skill.js": "function skill(i) { return 15; }\u0000"
} };
