import { modelServer } from "../../test/support/model-server.ts";

/**
 * A process of its own that answers as a model would, after the milliseconds of its argument; it
 * prints its URL and ends with its standard input.
 */
const [afterMs = "0"] = process.argv.slice(2);
const code =
  "function total(lines) {\n  return lines.reduce((sum, { price }) => sum + price, 0);\n}\n";
const text = JSON.stringify({
  reason: "the sum",
  edits: [{ op: "replace", target: "total", code }],
});
await using server = await modelServer({
  kind: "vllm",
  answers: () => (afterMs === "0" ? text : { text, afterMs: Number(afterMs) }),
});
console.log(server.url);
for await (const _chunk of process.stdin);
