// writes held-out cases that it knows
module.exports = { skill: "total", patch: {
  "data/held-out/total.jsonl": "{\"name\":\"any\",\"args\":[1],\"expect\":15}\n"
} };
