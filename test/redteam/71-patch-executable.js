// the right text with the mode of a program
module.exports = { skill: "total", patch: {
  "skills/total/skill.js": {
    "mode": "100755",
    "content": "function skill(i) { return 15; }"
  }
} };
