// a submodule in the place of the skill
module.exports = { skill: "total", patch: {
  ".gitmodules": "[submodule \"x\"]\n path = skills/total\n url = ext::sh\n"
} };
