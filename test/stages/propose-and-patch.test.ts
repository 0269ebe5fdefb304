import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Proposal, ProposerName } from "../../src/domain/candidate.ts";
import type { Attempt } from "../../src/domain/group.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../src/ports/proposer.ts";
import { HoneError } from "../../src/domain/errors.ts";
import { propose, type StageNews, weighed } from "../../src/stages/4-propose.ts";
import { patch } from "../../src/stages/5-patch.ts";
import { aCase, aDiagnosisOf, aSkill, judgedCase, scriptedEditor } from "../support/shop.ts";

const skill = aSkill();
const diagnosis = aDiagnosisOf([judgedCase(aCase("a", 1), false)]);

const PROPOSAL: Proposal = {
  edits: [{ op: "splice", start: 0, end: 1, text: "E" }],
  origin: { proposer: "search", operator: "letter", seed: 1, parent: null },
  reason: "a letter",
};

suite("propose", () => {
  test("asks one proposer after the other; what one leaves of the time is the next one's", async (t) => {
    let time = 0;
    const seen: [ProposerName, number][] = [];
    const proposers = (["revert", "drift", "search"] as const).map((name): Proposer => ({
      name,
      async *propose({ budgetMs }: ProposalRequest) {
        seen.push([name, budgetMs]);
        time += 60;
        yield { kind: "proposal", proposal: { ...PROPOSAL, reason: name } };
      },
    }));

    const reasons: string[] = [];
    const work = { skill, diagnosis, seed: 1, budgetMs: 100 };
    for await (const news of propose(work, { proposers, now: () => time }, t.signal)) {
      if (news.kind === "proposal") reasons.push(news.proposal.reason);
    }

    assert.deepEqual(seen, [
      ["revert", 100],
      ["drift", 40],
    ]);
    assert.deepEqual(reasons, ["revert", "drift"]);
  });

  test("goes to one with a budget of its own when the others have used theirs, of time and of proposals", async (t) => {
    const verified: string[] = [];
    const three = (name: ProposerName, of: Partial<Proposer> = {}): Proposer => ({
      name,
      async *propose() {
        for (const _ of "abc") yield { kind: "proposal", proposal: { ...PROPOSAL, reason: name } };
      },
      ...of,
    });
    const proposers = [three("drift"), three("search"), three("model", { ownBudgetMs: 50 })];
    const work = { skill, diagnosis, seed: 1, budgetMs: 100, isFull: () => verified.length >= 4 };
    for await (const news of propose(work, { proposers, now: () => 0 }, t.signal)) {
      if (news.kind === "proposal") verified.push(news.proposal.reason);
    }

    assert.deepEqual(verified, ["drift", "drift", "drift", "search", "model", "model", "model"]);
  });

  const breaks: Readonly<Record<string, () => AsyncIterable<ProposalNews>>> = {
    "before its first news": () => {
      throw new TypeError("a bug");
    },
    "after some news": async function* () {
      yield { kind: "proposal", proposal: PROPOSAL };
      throw new TypeError("a bug");
    },
    "with what is no error": async function* () {
      yield { kind: "tried", programs: 1 };
      // oxlint-disable-next-line no-throw-literal
      throw "a bug";
    },
  };
  for (const [when, broken] of Object.entries(breaks)) {
    test(`a proposer that throws ${when} keeps no other from proposing`, async (t) => {
      const proposers: Proposer[] = [
        { name: "drift", propose: broken },
        {
          name: "search",
          async *propose() {
            yield { kind: "proposal", proposal: { ...PROPOSAL, reason: "search" } };
          },
        },
      ];

      const told: StageNews[] = [];
      const work = { skill, diagnosis, seed: 1, budgetMs: 100 };
      const shop = { proposers, now: () => 0 };
      for await (const news of weighed(propose(work, shop, t.signal), [])) told.push(news);

      const [failed, last] = told.slice(-2);
      assert.ok(failed?.kind === "failed" && last?.kind === "proposal");
      assert.equal(failed.failure.proposer, "drift");
      assert.match(failed.failure.reason, /a bug/);
      assert.match(failed.failure.bug ?? "", /a bug/);
      assert.equal(last.proposal.reason, "search");
    });
  }

  test("what the world did to a proposer is no bug; an abort is no failure", async (t) => {
    const abort = new AbortController();
    const down: Proposer = {
      name: "search",
      // oxlint-disable-next-line require-yield
      async *propose() {
        throw new HoneError("capability-failed", "the endpoint is down", { retryable: true });
      },
    };
    const work = { skill, diagnosis, seed: 1, budgetMs: 100 };
    const shop = { proposers: [down], now: () => 0 };

    const told = await Array.fromAsync(propose(work, shop, t.signal));
    abort.abort(new Error("stopped"));
    const aborted = Array.fromAsync(propose(work, shop, abort.signal));

    const failure = { proposer: "search", reason: "the endpoint is down", bug: null };
    assert.deepEqual(told, [{ kind: "failed", failure }]);
    await assert.rejects(aborted, { message: "stopped" });
  });
});

suite("weighed proposals", () => {
  test("one that cases refuted makes the next surer; one that its form ruled out does not", async () => {
    const confidences = [0.5, 0.3, 0.1];
    const attempts: Attempt[] = [];
    const failures = ["held-out", "types"] as const;

    const stated: (number | undefined)[] = [];
    for await (const news of weighed(proposals(confidences), attempts)) {
      if (news.kind !== "proposal") continue;
      stated.push(news.proposal.confidence);
      const gate = failures[attempts.length] ?? "types";
      const verdicts = [{ gate, status: "fail", reason: "", durationMs: 0 } as const];
      const candidate = { ...news.proposal } as Attempt["candidate"];
      attempts.push({
        candidate,
        patched: null,
        verification: { candidateId: "", verdicts, reward: 0 },
      });
    }

    assert.deepEqual(stated, [0.5, 0.6, 0.2]);
  });

  test("one that is less sure than another which waits for that is not verified", async () => {
    const attempts: Attempt[] = [];
    const wait = { gate: "approval", status: "needs-data", reason: "", durationMs: 0 } as const;
    const verdicts = [
      { ...wait, isUnsure: false },
      { ...wait, isUnsure: true },
    ];

    const stated: (number | undefined)[] = [];
    for await (const news of weighed(proposals([0.05, 0.15, 0.1, 0.16]), attempts)) {
      if (news.kind !== "proposal") continue;
      stated.push(news.proposal.confidence);
      const candidate = { ...news.proposal } as Attempt["candidate"];
      const verdict = verdicts[Math.min(1, attempts.length)];
      if (verdict === undefined) throw new Error("there are two");
      const verification = { candidateId: "", verdicts: [verdict], reward: 1 };
      attempts.push({ candidate, patched: null, verification });
    }

    assert.deepEqual(stated, [0.05, 0.15, 0.16]);
  });
});

async function* proposals(confidences: readonly number[]): AsyncGenerator<ProposalNews> {
  for (const confidence of confidences) {
    yield { kind: "tried", programs: 1 };
    yield { kind: "proposal", proposal: { ...PROPOSAL, confidence } };
  }
}

suite("patch", () => {
  const wish = { proposal: PROPOSAL, skill, diagnosis, id: "candidate-7" };
  const { text: _, ...contract } = { text: "", ...skill };
  const sound = { ...contract, status: "sound" as const, digest: "new digest" };

  test("makes a candidate and the skill as it leaves it, in the file of its language", async (t) => {
    const editor = scriptedEditor({
      apply: async () => ({ status: "edited", text: "Export" }),
      inspect: async () => sound,
    });

    const made = await patch(wish, { editor }, t.signal);

    assert.equal(made.status, "patched");
    assert.deepEqual(
      [made.candidate.id, made.candidate.source, made.candidate.digest],
      ["candidate-7", "Export", "new digest"],
    );
    assert.equal(made.patched.files["skill.js"], "Export");
    assert.deepEqual([made.patched.name, made.patched.version], [skill.name, skill.version]);
  });

  test("counts the characters between the common ends as the size", async (t) => {
    const editor = scriptedEditor({
      apply: async () => ({ status: "edited", text: skill.source.replace("12", "1200") }),
      inspect: async () => sound,
    });

    const { candidate } = await patch(wish, { editor }, t.signal);

    assert.equal(candidate.size, 2);
  });

  test("refuses an edit that cannot be made, with the editor's reason", async (t) => {
    const editor = scriptedEditor({
      apply: async () => ({ status: "refused", reason: "no place" }),
    });

    const made = await patch(wish, { editor }, t.signal);

    assert.equal(made.status, "refused");
    assert.equal(made.reason, "no place");
    assert.deepEqual([made.candidate.source, made.candidate.size], [skill.source, 0]);
  });

  test("refuses a source that cannot be stored, whoever proposed it", async (t) => {
    for (const text of ["a\0", "a\ud800"]) {
      const editor = scriptedEditor({ apply: async () => ({ status: "edited", text }) });

      const made = await patch(wish, { editor }, t.signal);

      assert.equal(made.status, "refused");
      assert.match(made.reason, /^the source has /);
    }
  });

  test("refuses what is no skill any more, and keeps the source for whoever looks", async (t) => {
    const editor = scriptedEditor({
      apply: async () => ({ status: "edited", text: "enum A {}" }),
      inspect: async () => ({
        status: "unsound",
        problems: [
          { line: 1, message: "enum" },
          { line: 2, message: "no function" },
        ],
      }),
    });

    const made = await patch(wish, { editor }, t.signal);

    assert.equal(made.status, "refused");
    assert.equal(made.reason, "line 1: enum; line 2: no function");
    assert.equal(made.candidate.source, "enum A {}");
  });
});
