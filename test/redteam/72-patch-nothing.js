// changes nothing and hopes for a verdict
module.exports = { skill: "total", patch: {} };
