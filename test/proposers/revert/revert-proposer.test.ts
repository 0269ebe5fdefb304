import assert from "node:assert/strict";
import test from "node:test";
import type { Proposal } from "../../../src/domain/candidate.ts";
import type { Diagnosis } from "../../../src/domain/incident.ts";
import type { CommitInfo } from "../../../src/ports/repository.ts";
import { createRevertProposer } from "../../../src/proposers/revert/revert-proposer.ts";
import { aScoredSkill } from "../../support/skill.ts";

/** A history, newest first, of the texts of the skill's file; null where it was missing. */
function historyOf(file: string, texts: readonly (string | null)[]) {
  const commitOf = (at: number): CommitInfo => ({
    commit: `c${at}`.padEnd(40, "0"),
    parents: [],
    author: "a",
    at: 0,
    subject: "",
    body: "",
    trailers: {},
  });
  const textAt = (commit: string): string | null =>
    texts[Number(/^c(\d)/.exec(commit)?.[1])] ?? null;
  return {
    history: async (folder: string) =>
      folder === "skills/parse-price" ? texts.map((_, at) => commitOf(at)) : [],
    files: async (commit: string, folder: string) =>
      textAt(commit) === null ? [] : [{ path: `${folder}/${file}`, blob: commit }],
    textOrNull: async (blob: string) => textAt(blob),
  };
}

async function proposalsFrom(
  texts: readonly (string | null)[],
  served: (commit: string) => boolean = () => true,
): Promise<Proposal[]> {
  const skill = aScoredSkill();
  const repository = historyOf("skill.js", texts);
  const request = { skill, diagnosis: {} as Diagnosis, seed: 7, budgetMs: 1000 };
  const proposals: Proposal[] = [];
  const commits = (await repository.history("skills/parse-price")).map(({ commit }) => commit);
  const ports = { repository, served: () => new Set(commits.filter(served)) };
  const news = createRevertProposer(ports).propose(request, new AbortController().signal);
  for await (const one of news) if (one.kind === "proposal") proposals.push(one.proposal);
  return proposals;
}

test("proposes earlier sources, newest first, each once and never the present one", async () => {
  const present = aScoredSkill().source;

  const proposals = await proposalsFrom([present, "older", "oldest", "older"]);

  assert.deepEqual(
    proposals.map(({ edits }) => edits),
    [
      [{ op: "replace", target: "*", code: "older" }],
      [{ op: "replace", target: "*", code: "oldest" }],
    ],
  );
  assert.equal(proposals[0]?.origin.proposer, "revert");
  assert.match(proposals[0]?.reason ?? "", /1970-01-01/);
});

test("a version without the file is passed over", async () => {
  const proposals = await proposalsFrom([null, "older"]);

  assert.equal(proposals.length, 1);
});

test("a version that was never in force is passed over, though the history has it", async () => {
  const present = aScoredSkill().source;

  const proposals = await proposalsFrom(
    [present, "half done", "served", "older draft"],
    (commit) => !/^c[13]/.test(commit),
  );

  assert.deepEqual(
    proposals.map(({ edits }) => edits),
    [[{ op: "replace", target: "*", code: "served" }]],
  );
});
