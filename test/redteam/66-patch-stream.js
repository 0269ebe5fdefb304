// a stream of the file, as NTFS names them
module.exports = { skill: "total", patch: {
  "skills/total/skill.js:hidden": "function skill(i) { return 15; }"
} };
