import { fileOf } from "../../domain/skill.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";

/** Earlier versions looked at, newest first. */
const MOST = 20;

/**
 * Proposes earlier versions of the skill's source from the history, newest first, each different
 * from the faulty one and from those before it, and none that was taken back. Runs nothing: the
 * gates say whether one serves.
 */
export function createRevertProposer({
  repository,
}: {
  readonly repository: Pick<Repository, "history" | "files" | "textOrNull">;
}): Proposer {
  return { name: "revert", propose: (request, signal) => revert(request, repository, signal) };
}

async function* revert(
  { skill, seed }: ProposalRequest,
  repository: Pick<Repository, "history" | "files" | "textOrNull">,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const folder = `skills/${skill.name}`;
  const seen = new Set([skill.source]);
  const history = await repository.history(folder, MOST);
  const takenBack = new Set(history.map(({ trailers }) => trailers["Hone-Reverts"]));
  for (const { commit, at } of history) {
    signal.throwIfAborted();
    if (takenBack.has(commit)) continue;
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
