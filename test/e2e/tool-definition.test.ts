import assert from "node:assert/strict";
import { test } from "node:test";
import { modelServer, type Asked } from "../support/model-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const VAGUE = "Tells about the air.";
const DEFINITE = "Temperature in a city now, in degrees Celsius.";

const SAYINGS = ["Oslo", "Rome", "Lima", "Cairo", "Paris", "Delhi", "Quito"];
const HELD_OUT = ["Bonn", "Riga", "Accra"];

function callOf(city: string): string {
  return JSON.stringify({
    name: city,
    say: `How warm is it in ${city} today?`,
    input: { city: city.toLowerCase() },
  });
}

function library(): Record<string, string> {
  const temperature = skillFiles("temperature", {
    source: "export function temperature(city: string): number {\n  return city.length;\n}\n",
    cases: [{ name: "one", input: { city: "oslo" }, expect: 4 }],
    heldOut: [],
    metadata: '  parameters:\n    city: "a name"',
  });
  const manual = temperature["skills/temperature/SKILL.md"] ?? "";
  return {
    ...temperature,
    "skills/temperature/SKILL.md": manual.replace(/^description: .*$/m, `description: ${VAGUE}`),
    "skills/temperature/calls.jsonl": `${SAYINGS.map(callOf).join("\n")}\n`,
    "data/held-out/temperature.calls.jsonl": `${HELD_OUT.map(callOf).join("\n")}\n`,
    ...skillFiles("wind", {
      source: "export function wind(city: string): number {\n  return city.length;\n}\n",
      cases: [{ name: "one", input: { city: "oslo" }, expect: 4 }],
      heldOut: [],
    }),
  };
}

/** A small model: it finds a tool by its words, and writes a city as it is told to. */
function small({ messages }: Asked): string {
  const text = messages.at(-1)?.content ?? "";
  if (messages[0]?.role === "system") {
    const manual = /(---\nname: temperature\n[\s\S]*?\n---\n[^`]*)/.exec(text)?.[1] ?? "";
    const code = manual
      .replace(/^description: .*$/m, `description: ${DEFINITE}`)
      .replace('city: "a name"', 'city: "a name in small letters"');
    const edits = [{ op: "replace", target: "*", code }];
    return JSON.stringify({ reason: "nobody could know what it is for", edits });
  }
  const city = /warm is it in (\w+)/.exec(text)?.[1] ?? "";
  const isClear = text.includes("Temperature in a city");
  const input = { city: text.includes("small letters") ? city.toLowerCase() : city };
  return JSON.stringify({ tool: isClear ? "temperature" : "wind", input });
}

test("a tool that models misuse gets better words by a proven release, and a rollback takes them back", async (t) => {
  await using server = await modelServer({ answers: small });
  const workspace = await aWorkspace(t, library());
  await using hone = await workspace.open({ model: { url: server.url, samples: 2 } });
  const { operations } = hone;
  const before = workspace.git("rev-parse", "hone");

  const improved = await operations.improve({ skill: "temperature" });

  assert.equal(improved["result"], "released", JSON.stringify(improved, null, 1));
  const file = "skills/temperature/SKILL.md";
  assert.equal(workspace.git("diff", "--name-only", before, "hone"), file);
  assert.match(workspace.show("hone", file), new RegExp(DEFINITE));
  const shown = await operations.skill({ name: "temperature" });
  assert.match(JSON.stringify(shown), new RegExp(DEFINITE));
  const again = await operations.improve({ skill: "temperature" });
  assert.equal(again["result"], "nothing-to-do", JSON.stringify(again));

  assert.equal((await operations.verify({ commit: String(improved["commit"]) }))["result"], "same");
  await operations.rollback({ skill: "temperature", by: "Ann" });

  assert.match(workspace.show("hone", file), new RegExp(VAGUE));
});
