import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { chooseArms, MOST_PULLS, type ArmChoice } from "../domain/bandit.ts";
import type { SearchPart } from "../domain/search-part.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Editor } from "../ports/editor.ts";
import type { Library } from "../ports/library.ts";
import type { Model } from "../ports/model.ts";
import type { Proposer } from "../ports/proposer.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";
import { createDriftProposer } from "../proposers/drift/drift-proposer.ts";
import { createModelProposer } from "../proposers/model/model-proposer.ts";
import { repairPrompts } from "../proposers/model/repair-words.ts";
import type { Prompts } from "../proposers/model/talk.ts";
import { createRevertProposer } from "../proposers/revert/revert-proposer.ts";
import { createSearchProposer } from "../proposers/search/search-proposer.ts";
import { lessonsIn } from "./repairs/lessons.ts";
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
    "groups" | "candidates" | "pulls" | "note" | "releases" | "versionStats"
  > | null;
  /** The skills of the workspace, where there is one. */
  readonly library?: Pick<Library, "names" | "active">;
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
  { editor, examining, model, settings, repository, store, library, without = [] }: Proposing,
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
      const past =
        store === null ? {} : { recall: lessonsIn(store), chooseArms: choosingBy(store) };
      const prompts = readPrompts();
      const own =
        library === undefined ? {} : { promptsNow: () => repairPrompts(prompts, library, sha256) };
      const common = { ...examining, editor, model, settings, prompts, ...past, ...own };
      return createModelProposer({ ...common, now: Date.now });
    }
  }
}

/** How to ask a model, by what the ledger has of failures of the same class. */
function choosingBy(store: Pick<Store, "pulls">): (wanted: ArmChoice) => readonly string[] {
  return (wanted) => chooseArms(wanted, store.pulls(wanted.failureClass, MOST_PULLS));
}

/** hone's own prompts, as they stand beside the proposer. */
function readPrompts(): Prompts {
  const read = (name: string): string =>
    readFileSync(new URL(`../proposers/model/prompts/${name}.md`, import.meta.url), "utf8");
  const texts = {
    system: read("system"),
    words: read("words"),
    definition: read("definition"),
    repair: read("repair"),
    again: read("again"),
  };
  const approach = (name: string): string => read(`approach-${name}`).trim();
  const approaches = { trace: approach("trace"), least: approach("least") };
  const all = [...Object.values(texts), ...Object.values(approaches)];
  return { ...texts, approaches, digest: sha256(all.join("\0")) };
}
