import assert from "node:assert/strict";
import { test } from "node:test";
import { areaSkill, GOOD_AREA } from "../support/area-skill.ts";
import { modelServer, type Asked } from "../support/model-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const VAGUE = "Mend this.\n\n{{task}}\n";
const DEFINITE =
  'Mend this tool. Answer with JSON: {"reason": "...", "edits": [{"op": "replace", "target": "*", "code": "..."}]}\n\n{{task}}\n';

/** Tasks of adding where another thing is wanted, each as evidence and as what is to be run. */
function tasks(): object[] {
  return [2, 3, 4, 5, 6, 7, 8].map((factor) => {
    const source = `export function by${factor}(value: number): number {\n  return value + ${factor};\n}\n`;
    const cases = [1, 10].map((value) => ({ args: [value], expect: value * factor }));
    return {
      name: `times ${factor}`,
      input: { task: `${source}\nIt should multiply.` },
      expect: { language: "ts", entry: `by${factor}`, source, cases },
    };
  });
}

function repairSkill(): Record<string, string> {
  const { "skills/hone-repair/skill.ts": _, ...files } = skillFiles("hone-repair", {
    source: "",
    cases: tasks(),
    metadata: "  kind: prompt\n  review: always\n  limits: { timeoutMs: 20000 }",
  });
  return { ...files, "skills/hone-repair/prompt.md": VAGUE };
}

function whole(code: string): string {
  return JSON.stringify({ reason: "put right", edits: [{ op: "replace", target: "*", code }] });
}

/** A model that gives patches where it is told how, and chats where it is not. */
function small({ messages }: Asked): string {
  const text = messages.map(({ content }) => content).join("\n");
  if (text.includes("You improve the wording")) return whole(DEFINITE);
  if (!text.includes("Answer with JSON: {")) return "I would multiply.";
  const [task = ""] = /export function by\d[^}]*\}\n/.exec(text) ?? [];
  return task === "" ? whole(GOOD_AREA) : whole(task.replace("+", "*"));
}

test("hone's own words for repairs are repaired on a task set, released by a person, and used from then on", async (t) => {
  await using server = await modelServer({ answers: small });
  const workspace = await aWorkspace(t, { ...areaSkill(), ...repairSkill() });
  const model = { url: server.url, samples: 2 };
  await using hone = await workspace.open({ proposers: ["model"], model });
  const { operations } = hone;
  await operations.call({ skill: "area", input: { width: 2, height: 3 }, expect: 6 });

  const before = await operations.improve({ skill: "area" });
  const asked = await operations.improve({ skill: "hone-repair" });

  assert.equal(before["result"], "no-change", JSON.stringify(before));
  assert.equal(asked["result"], "waiting-approval", JSON.stringify(asked));
  assert.match(String(asked["reason"]), /this skill is protected/);
  await operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });
  assert.equal(workspace.show("hone", "skills/hone-repair/prompt.md"), DEFINITE);

  const after = await operations.improve({ skill: "area" });

  assert.equal(after["result"], "released", JSON.stringify(after));
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), GOOD_AREA);
  const systems = server.asked.flatMap(({ body }) => {
    const { messages = [] } = body as { messages?: { role: string; content: string }[] };
    return messages.flatMap(({ role, content }) => (role === "system" ? [content] : []));
  });
  assert.ok(systems.includes("Mend this."));
  assert.ok(systems.some((system) => system.startsWith("Mend this tool.")));
});
