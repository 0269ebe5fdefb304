// a Cyrillic letter in the name of the folder
module.exports = { skill: "total", patch: {
  "skills/tot\u0430l/skill.js": "function skill(i) { return 15; }"
} };
