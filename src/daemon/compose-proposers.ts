import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import type { SearchPart } from "../domain/search-part.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Editor } from "../ports/editor.ts";
import type { Model } from "../ports/model.ts";
import type { Proposer } from "../ports/proposer.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";
import { createDriftProposer } from "../proposers/drift/drift-proposer.ts";
import { createModelProposer, type Prompts } from "../proposers/model/model-proposer.ts";
import { createRevertProposer } from "../proposers/revert/revert-proposer.ts";
import { createSearchProposer } from "../proposers/search/search-proposer.ts";
import { lessonsIn } from "./lessons.ts";
import { servedIn } from "./served-versions.ts";
import { sha256 } from "./sha256.ts";

/** What proposers work with. */
type Proposing = {
  readonly editor: Editor;
  readonly examining: ExaminePorts;
  /** Null: none is configured. */
  readonly model: Model | null;
  readonly settings: Config["model"];
  /** Null outside a workspace: there is no history. */
  readonly repository: Repository | null;
  readonly store: Pick<
    Store,
    "groups" | "candidates" | "note" | "releases" | "versionStats"
  > | null;
  /** Parts of the search that are switched off, where it is measured. */
  readonly without?: readonly SearchPart[];
};

/** The proposers that can work here, in the order of their names. */
export function proposersFor(
  names: readonly Config["proposers"][number][],
  proposing: Proposing,
): readonly Proposer[] {
  return names.flatMap((name) => proposerOf(name, proposing) ?? []);
}

function proposerOf(
  name: Config["proposers"][number],
  { editor, examining, model, settings, repository, store, without = [] }: Proposing,
): Proposer | null {
  switch (name) {
    case "revert":
      if (repository === null || store === null) return null;
      return createRevertProposer({ repository, served: servedIn(store) });
    case "drift":
      return createDriftProposer({ ...examining, editor });
    case "search":
      return createSearchProposer({ ...examining, editor, without });
    case "model": {
      if (model === null) return null;
      const recall = store === null ? {} : { recall: lessonsIn(store) };
      const common = { ...examining, editor, model, settings, ...recall };
      return createModelProposer({ ...common, prompts: readPrompts(), now: Date.now });
    }
  }
}

/** hone's own prompts, as they stand beside the proposer. */
function readPrompts(): Prompts {
  const [system, repair, again] = (["system", "repair", "again"] as const).map((name) =>
    readFileSync(new URL(`../proposers/model/prompts/${name}.md`, import.meta.url), "utf8"),
  ) as [string, string, string];
  return { system, repair, again, digest: sha256([system, repair, again].join("\0")).slice(0, 16) };
}
