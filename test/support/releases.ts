import { createHash } from "node:crypto";
import path from "node:path";
import { openStore, type SqliteStore } from "../../src/adapters/sqlite/sqlite-store.ts";
import type { Repository } from "../../src/ports/repository.ts";
import type { ReleaseInput, ReleasePorts } from "../../src/stages/7-release.ts";
import { aGitWorkspace, type GitWorkspace } from "./git-workspace.ts";
import { aDiagnosis, temporaryFolder } from "./ledger.ts";
import { aCase, aSkill, candidateOf, patchedAs } from "./shop.ts";

/** The skill's folder in these tests. */
export const FOLDER = "skills/parse-price";

/** A real history and a real ledger with one skill in them. */
export type Yard = {
  readonly workspace: GitWorkspace;
  readonly repository: Repository;
  readonly store: SqliteStore;
  readonly ports: ReleasePorts;
  /** What a release of the skill as it is now needs. */
  readonly input: (overrides?: Partial<ReleaseInput>) => Promise<ReleaseInput>;
};

export const CASES_TEXT = '{"name":"one","args":["x"],"expect":2}\n';

export async function aYard(t: { after(release: () => unknown): void }): Promise<Yard> {
  const skill = aSkill();
  const workspace = await aGitWorkspace(t, {
    files: { [`${FOLDER}/skill.js`]: skill.source, [`${FOLDER}/cases.jsonl`]: CASES_TEXT },
  });
  const repository = await workspace.open();
  const store = openStore(path.join(temporaryFolder(t), "hone.db"));
  t.after(() => store[Symbol.dispose]());
  const ports = { repository, store, now: () => 5_000, sha256, tools: { node: "test" } };
  const input = async (overrides: Partial<ReleaseInput> = {}): Promise<ReleaseInput> => {
    const version = await repository.lastChange(await repository.head(), FOLDER);
    const cases = [aCase("one", 2, { args: ["x"] })];
    const files = { "skill.js": skill.source, "cases.jsonl": CASES_TEXT };
    const active = { ...skill, version, cases, files };
    const patched = patchedAs("export function parsePrice(text) { return 13; }", { cases, files });
    const diagnosis = aDiagnosis();
    const { name, args, expectation, world } = { ...diagnosis.failing.case, name: "the incident" };
    const failing = { ...diagnosis.failing, case: { name, args, expectation, world } };
    return {
      skill: active,
      patched,
      candidate: candidateOf(patched),
      verification: {
        candidateId: "candidate-1",
        verdicts: [{ gate: "parse", status: "pass", reason: "", durationMs: 1 }],
        reward: 1,
      },
      diagnosis: { ...diagnosis, failing },
      signature: "signature",
      rewardBefore: 0.5,
      suite: [...cases, failing.case],
      outcomes: { one: "2" },
      approvedBy: null,
      ...overrides,
    };
  };
  return { workspace, repository, store, ports, input };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The same repository, but for some of its verbs. */
export function withVerbs(repository: Repository, verbs: Partial<Repository>): Repository {
  return new Proxy(repository, {
    get(target, verb) {
      const own: unknown = Reflect.get(verbs, verb);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, verb);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
