import assert from "node:assert/strict";
import { test } from "node:test";
import { modelServer, type Asked } from "../support/model-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const VAGUE = "What is the mood of this?\n\n{{text}}\n";
const DEFINITE = "Name the mood of the text in one word, happy or sad.\n\n{{text}}\n";

const SAYINGS: readonly (readonly [text: string, mood: string])[] = [
  ["The sun is out and we sing.", "happy"],
  ["My dog has run away.", "sad"],
  ["We won the cup at last!", "happy"],
  ["Nobody came to the party.", "sad"],
  ["She laughed all evening.", "happy"],
  ["The letter never arrived.", "sad"],
  ["They danced until dawn.", "happy"],
];

const HELD_OUT: readonly (readonly [text: string, mood: string])[] = [
  ["He whistles on his way home.", "happy"],
  ["The garden has dried up.", "sad"],
  ["A friend is back in town!", "happy"],
];

function caseOf([text, mood]: readonly [string, string]): object {
  return { name: text.slice(0, 20), input: { text }, expect: mood };
}

function moodSkill(): Record<string, string> {
  const { "skills/mood/skill.ts": _, ...files } = skillFiles("mood", {
    source: "",
    cases: SAYINGS.map(caseOf),
    heldOut: HELD_OUT.map(caseOf),
    metadata: "  kind: prompt\n  limits: { timeoutMs: 20000 }",
  });
  return { ...files, "skills/mood/prompt.md": VAGUE };
}

/** A small model: it says one word where it is told to, and chats where it is not. */
function small({ messages }: Asked): string {
  const text = messages.at(-1)?.content ?? "";
  if (messages[0]?.role === "system") {
    const code = DEFINITE;
    const edits = [{ op: "replace", target: "*", code }];
    return JSON.stringify({ reason: "it did not say how to answer", edits });
  }
  const known = [...SAYINGS, ...HELD_OUT].find(([saying]) => text.includes(saying));
  const mood = known?.[1] ?? "sad";
  return text.includes("one word") ? mood : `I would say that this is rather ${mood}!`;
}

test("wording that falls short becomes a proven release, and a rollback takes it back", async (t) => {
  await using server = await modelServer({ answers: small });
  const workspace = await aWorkspace(t, moodSkill());
  await using hone = await workspace.open({
    model: { url: server.url, samples: 2 },
    // All calls go to the release at once: nobody waits for the share of a canary to grow.
    canary: { share: 1 },
  });
  const { operations } = hone;
  const asked = { skill: "mood", input: { text: "The bells ring for us." } };

  const before = await operations.call(asked);
  const improved = await operations.improve({ skill: "mood" });

  assert.match(String(before["value"]), /^I would say/);
  assert.equal(improved["result"], "released", JSON.stringify(improved, null, 1));
  assert.equal(workspace.show("hone", "skills/mood/prompt.md"), DEFINITE);
  const after = await operations.call(asked);
  assert.deepEqual([after["value"], after["version"]], ["sad", improved["commit"]]);

  assert.equal((await operations.verify({ commit: String(improved["commit"]) }))["result"], "same");
  await operations.rollback({ skill: "mood", by: "Ann" });

  assert.equal(workspace.show("hone", "skills/mood/prompt.md"), VAGUE);
  assert.match(String((await operations.call(asked))["value"]), /^I would say/);
});

test("without a model a prompt is out of reach: no score, no incident (T17)", async (t) => {
  const workspace = await aWorkspace(t, moodSkill());
  await using hone = await workspace.open();
  const { operations } = hone;

  const answer = await operations.call({ skill: "mood", input: { text: "Hello." } });

  assert.match(JSON.stringify(answer), /no model is configured/);
  const { incidents } = await operations.incidents({ all: true });
  assert.deepEqual(incidents, []);
});
