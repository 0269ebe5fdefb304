// a workflow that the next push would run
module.exports = { skill: "total", patch: {
  ".github/workflows/ci.yml": "on: push\n"
} };
