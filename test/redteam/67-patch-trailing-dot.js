// a trailing dot, which Windows drops
module.exports = { skill: "total", patch: {
  "skills/total/skill.js.": "function skill(i) { return 15; }"
} };
