import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { GOOD_AREA } from "../support/area-skill.ts";
import { skillFiles } from "../support/workspace.ts";
import { inject, type Fault } from "./fault.ts";
import { assertClear, assertSound, countsOf } from "./invariants.ts";
import { struckAtFrame } from "./phases.ts";
import { strikeGuests } from "./processes.ts";
import { INPUT, theSite } from "./site.ts";

/** Reward scripts that give no score, by what they do. */
const SCRIPTS: Readonly<Record<string, string>> = {
  throws: 'throw new Error("no");',
  "throws null": "throw null;",
  "never returns": "for (;;);",
  "runs a loop of the engine's own": "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1);",
  "never settles": "return new Promise(() => undefined);",
  "answers NaN": "return NaN;",
  "answers Infinity": "return 1 / 0;",
  "answers more than one": "return 1.5;",
  "answers a text": 'return "1";',
  "answers itself": "const a = []; a.push(a); return a;",
  "answers something else each time": "return Math.random();",
  "grows without end": "const all = []; for (;;) all.push(all.slice());",
  "is no TypeScript": "return ((;",
};

const scripts: readonly Fault[] = Object.keys(SCRIPTS).map((what, at) => ({
  name: `a reward script ${what}`,
  strikes: "reward: the script",
  async holds() {
    const site = await theSite();
    const before = countsOf(site.workspace);

    const answer = await site.hone.operations.call({ skill: `judged${at}`, input: INPUT });

    assert.equal(answer["value"], 6, "the run itself is fine");
    assert.equal((answer["reward"] as { status: string }).status, "bad-reward");
    assert.deepEqual(countsOf(site.workspace), before, "no score, no incident, no proposal");
    await assertOthersAreScored();
  },
}));

export const faults = inject(import.meta.main, {
  kind: "rewards",
  files: Object.assign(
    { "rewards/fine.ts": rewardOf("return 1;") },
    judgedBy("fine", "fine"),
    judgedBy("struck", "fine"),
    ...Object.values(SCRIPTS).map((body, at) => ({
      ...judgedBy(`judged${at}`, `script${at}`),
      [`rewards/script${at}.ts`]: rewardOf(body),
    })),
  ) as Record<string, string>,
  faults: [
    ...scripts,
    {
      name: "the guest of a reward script is killed",
      strikes: "reward: the guest",
      async holds() {
        const site = await theSite();
        let frames = 0;
        using guest = struckAtFrame(
          "execute",
          () => strikeGuests(),
          () => (frames += 1) === 2,
        );
        const answer = await site.hone.operations.call({ skill: "struck", input: INPUT });
        assert.ok(guest.struck);
        assert.equal((answer["reward"] as { score: number }).score, 1);
        await assertOthersAreScored();
      },
    },
    {
      name: "held-out cases become unreadable while hone runs",
      strikes: "the gate held-out: its file",
      async holds() {
        const site = await theSite();
        const skill = site.fresh();
        const incident = await site.incident(skill);
        const file = path.join(site.workspace.dir, `data/held-out/${skill}.jsonl`);
        const text = site.workspace.show("main", `data/held-out/${skill}.jsonl`);
        writeFileSync(file, '{"name": "half a');
        const first = await site.improve(incident).catch((error: Error) => error);
        if (first instanceof Error) assertClear(first);
        else assert.notEqual(first.result, "released");
        assertSound(site, { recovered: true });
        writeFileSync(file, text);
        const second = await site.improve(incident);
        assert.equal(second.result, "released", second.reason);
        await assertOthersAreScored();
      },
    },
  ],
});

function rewardOf(body: string): string {
  return `export function judge(trace: any, context: any): any {\n  ${body}\n}\n`;
}

function judgedBy(skill: string, reward: string): Record<string, string> {
  return skillFiles(skill, {
    source: GOOD_AREA.replace("function area", `function ${skill}`),
    cases: [],
    metadata: `  reward: { parts: [{ use: ${reward} }] }`,
  });
}

async function assertOthersAreScored(): Promise<void> {
  const site = await theSite();
  const { reward } = await site.hone.operations.call({ skill: "fine", input: INPUT });
  assert.equal((reward as { score: number }).score, 1);
  assertSound(site, { recovered: true });
}
