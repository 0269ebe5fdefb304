import { fileOf } from "../../domain/skill.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";

/** Earlier versions looked at, newest first. */
const MOST = 20;

export type RevertPorts = {
  readonly repository: Pick<Repository, "history" | "files" | "textOrNull">;
  /** Versions of a skill that were in force once. */
  readonly served: (skill: string) => ReadonlySet<string>;
};

/**
 * Proposes earlier versions of the skill's source from the history, newest first, each different
 * from the faulty one and from those before it, none that was taken back, and none that was never in
 * force: what a person committed on the way to a version nobody has looked at. Runs nothing: the
 * gates say whether one serves.
 */
export function createRevertProposer(ports: RevertPorts): Proposer {
  return { name: "revert", propose: (request, signal) => revert(request, ports, signal) };
}

async function* revert(
  { skill, seed }: ProposalRequest,
  { repository, served }: RevertPorts,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const folder = `skills/${skill.name}`;
  const seen = new Set([skill.source]);
  const history = await repository.history(folder, MOST);
  const known = served(skill.name);
  const takenBack = new Set(history.map(({ trailers }) => trailers["Hone-Reverts"]));
  for (const { commit, at } of history) {
    signal.throwIfAborted();
    if (takenBack.has(commit) || !known.has(commit)) continue;
    const source = await sourceAt(commit, `${folder}/${fileOf(skill)}`, repository);
    if (source === null || seen.has(source)) continue;
    seen.add(source);
    yield {
      kind: "proposal",
      proposal: {
        edits: [{ op: "replace", target: "*", code: source }],
        origin: { proposer: "revert", operator: "earlier-version", seed, parent: null },
        reason: `goes back to the source of ${dayOf(at)} (${commit.slice(0, 10)})`,
      },
    };
  }
}

async function sourceAt(
  commit: string,
  path: string,
  repository: Pick<Repository, "files" | "textOrNull">,
): Promise<string | null> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const file = (await repository.files(commit, folder)).find((one) => one.path === path);
  return file === undefined ? null : repository.textOrNull(file.blob);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
