// turns the second wall off in hone.yaml
module.exports = { skill: "total", patch: {
  "hone.yaml": "docker: off\nheldOut: { minimum: 0 }\n"
} };
