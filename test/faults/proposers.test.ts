import assert from "node:assert/strict";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { startImprover } from "../../src/daemon/repairs/improver.ts";
import { recover } from "../../src/daemon/recover.ts";
import type { Workspace } from "../../src/daemon/workspace.ts";
import type { Edit } from "../../src/domain/candidate.ts";
import { HoneError } from "../../src/domain/errors.ts";
import type { Settled } from "../../src/records.ts";
import type { ProposalNews, Proposer } from "../../src/ports/proposer.ts";
import { inject, type Fault } from "./fault.ts";
import { assertSound, countsOf } from "./invariants.ts";
import { theSite, type Site } from "./site.ts";

type Propose = () => AsyncIterable<ProposalNews>;

/** Patches that a model might come up with; none of them may be released or harm anyone. */
const GARBAGE: Readonly<Record<string, (skill: string) => readonly Edit[]>> = {
  "a text that does not parse": (skill) => [{ op: "body", target: skill, code: "return (((;" }],
  "an edit outside the file": () => [{ op: "splice", start: 9_000_000, end: 9e6 + 5, text: "x" }],
  "an edit that ends before it begins": () => [{ op: "splice", start: 90, end: 10, text: "" }],
  "a place that is no number": () => [
    { op: "splice", start: Number.NaN, end: Number.NaN, text: "x" },
  ],
  "an edit of what is not there": () => [{ op: "body", target: "nothing", code: "return 1;" }],
  "no edit": () => [],
  "four megabytes": (skill) => [
    { op: "body", target: skill, code: `return 1; // ${"x".repeat(4_000_000)}` },
  ],
  "a second export": () => [{ op: "add", code: "export const more = 1;" }],
  "a loop of the engine's own": (skill) => [
    {
      op: "body",
      target: skill,
      code: "return [].indexOf.call({ length: 2 ** 53 - 1 } as never, 1 as never);",
    },
  ],
  "a Map that grows without end": (skill) => [
    {
      op: "body",
      target: skill,
      code: "const m = new Map(); for (let i = 0; ; i += 1) m.set(i, { i });",
    },
  ],
};

const garbage: readonly Fault[] = Object.entries(GARBAGE).map(([what, editsOf]) => ({
  name: `a proposer yields ${what}`,
  strikes: "patch and gates: the candidate",
  async holds() {
    const site = await theSite();
    const skill = site.fresh();
    const settled = await improvedBy(site, skill, async function* () {
      yield proposalOf(editsOf(skill));
    });
    assert.ok(!(settled instanceof Error), String(settled));
    assert.equal(settled.result, "no-change");
    await assertRepairsAfterwards(site, skill, settled);
  },
}));

export const faults = inject(import.meta.main, {
  kind: "proposers",
  faults: [
    {
      name: "a proposer's endpoint is down",
      strikes: "propose: the first news",
      async holds() {
        const site = await theSite();
        const skill = site.fresh();
        const settled = await improvedBy(site, skill, async function* () {
          yield { kind: "tried", programs: 1 };
          throw new HoneError("capability-failed", "the endpoint does not answer", {
            hint: "Start it; hone tries again.",
            retryable: true,
          });
        });
        assert.ok(!(settled instanceof Error), String(settled));
        assert.equal(settled.result, "infra-error");
        assert.match(settled.reason, /the proposer search failed: the endpoint does not answer/);
        await assertRepairsAfterwards(site, skill, settled);
      },
    },
    {
      name: "a proposer never says anything",
      strikes: "propose: the wait for news",
      async holds() {
        const site = await theSite();
        const skill = site.fresh();
        const settled = await improvedBy(site, skill, async function* () {
          await new Promise(() => undefined);
          yield { kind: "tried", programs: 1 };
        });
        assert.ok(!(settled instanceof Error), String(settled));
        await assertRepairsAfterwards(site, skill, settled);
      },
    },
    {
      name: "a proposer never stops",
      strikes: "propose: news without end",
      async holds() {
        const site = await theSite();
        const skill = site.fresh();
        let made = 0;
        const settled = await improvedBy(site, skill, async function* () {
          for (;;) yield proposalOf([{ op: "body", target: skill, code: `return ${made++};` }]);
        });
        assert.ok(!(settled instanceof Error), String(settled));
        assert.ok(made < 50, `${made} proposals were taken`);
        await assertRepairsAfterwards(site, skill, settled);
      },
    },
    {
      name: "a proposer has a bug",
      strikes: "propose: the first news",
      holds: async () =>
        await brokenProposer(() => {
          throw new TypeError("a bug");
        }),
    },
    {
      name: "a proposer has a bug after some work",
      strikes: "propose: a later news",
      holds: async () =>
        await brokenProposer(async function* () {
          yield { kind: "tried", programs: 3 };
          throw new TypeError("a bug");
        }),
    },
    {
      name: "the loop has a bug, again and again",
      strikes: "propose: hone itself ends, three times",
      holds: bugIsGivenUp,
    },
    ...garbage,
  ],
});

function proposalOf(edits: readonly Edit[]): ProposalNews {
  const origin = { proposer: "search", operator: "garbage", seed: 1, parent: null } as const;
  return { kind: "proposal", proposal: { edits, origin, reason: "an idea" } };
}

/** The site's workspace with one proposer, and little time. */
function workspaceWith(site: Site, propose: Propose): Workspace {
  const proposer: Proposer = { name: "search", propose };
  const { settings } = site.hone.house;
  const house = {
    ...site.hone.house,
    proposers: [proposer],
    settings: { ...settings, budgetMs: 500 },
  };
  return { ...site.hone, house };
}

async function improvedBy(site: Site, skill: string, propose: Propose): Promise<Settled | Error> {
  const incident = await site.incident(skill);
  const before = countsOf(site.workspace);
  const settled = await improveOne(
    { incident, failing: null, isAsked: true },
    workspaceWith(site, propose),
  ).catch((error: Error) => error);
  const { groups: _, ...after } = countsOf(site.workspace);
  const { groups: __, ...expected } = before;
  assert.deepEqual(after, expected, "nothing was released, rolled back or scored");
  assertSound(site, { recovered: true });
  return settled;
}

async function assertRepairsAfterwards(
  site: Site,
  skill: string,
  _settled: unknown,
): Promise<void> {
  const [incident] = site.hone.house.store.incidents({ skill, limit: 1 });
  assert.ok(incident !== undefined);
  const second = await site.improve(incident);
  assert.equal(second.result, "released", second.reason);
  assertSound(site, { recovered: true });
}

/** No proposal of its own, and nobody else is kept from theirs. */
async function brokenProposer(propose: Propose): Promise<void> {
  const site = await theSite();
  const { store } = site.hone.house;
  const skill = site.fresh();
  const settled = await improvedBy(site, skill, propose);
  assert.ok(!(settled instanceof Error), String(settled));
  assert.equal(settled.result, "no-change");
  assert.match(settled.reason, /the proposer search broke, which is a bug of hone: a bug/);
  assert.equal(store.incident(settled.incident)?.note, settled.reason);
  const told = store.events(0, 10_000).findLast(({ kind }) => kind === "proposer.failed");
  assert.equal(told?.skill, skill);
  assert.match(String(told?.detail["bug"]), /TypeError: a bug\n +at /);
  await assertRepairsAfterwards(site, skill, settled);
}

/** A bug ends hone: that is right once, and wrong for ever. */
async function bugIsGivenUp(): Promise<void> {
  const site = await theSite();
  const { store } = site.hone.house;
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const buggy: Workspace = {
    ...site.hone,
    house: {
      ...site.hone.house,
      newSeed: () => {
        throw new TypeError("a bug");
      },
    },
  };
  for (let life = 0; life < 3; life += 1) {
    const attempt = improveOne({ incident, failing: null, isAsked: false }, buggy);
    await assert.rejects(attempt, { name: "TypeError" });
    await recover(site.hone);
    assert.equal(store.incident(incident.id)?.state, "open");
  }

  const given = await improveOne({ incident, failing: null, isAsked: false }, buggy);

  assert.match(given.reason, /gave-up.*hone itself ended 3 times/);
  assert.equal(store.incident(incident.id)?.state, "gave-up");
  await using improver = startImprover(site.hone);
  improver.wake();
  assertSound(site, { recovered: true });
  await assertRepairsAfterwards(site, skill, given);
}
