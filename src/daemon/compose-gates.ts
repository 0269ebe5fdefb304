import type { Config } from "../config.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import { takenBackBy } from "../gates/approval.ts";
import { cascade } from "../gates/cascade.ts";
import { passingRunsIn } from "../gates/differential.ts";
import { heldOutIn } from "../library/held-out.ts";
import type { Containers } from "../ports/containers.ts";
import type { Editor } from "../ports/editor.ts";
import type { Gate } from "../ports/gate.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";

/** The gates of a workspace, with the history and the held-out data that they ask. */
export function gatesOf({
  dir,
  config,
  repository,
  store,
  containers,
  bench: { examining, editor },
}: {
  readonly dir: string;
  readonly config: Config;
  readonly repository: Repository;
  readonly store: Store;
  readonly containers: Containers | null;
  readonly bench: { readonly examining: ExaminePorts; readonly editor: Editor };
}): readonly Gate[] {
  const common = { ...examining, editor, now: Date.now };
  const heldOut = heldOutIn(
    dir,
    ({ name }, limit) => store.runs({ skill: name, heldOut: true, limit }),
    ({ name }) => store.births({ skill: name })[0]?.heldOut ?? [],
  );
  return cascade(common, {
    containers,
    differential: { ...common, passingRuns: passingRunsIn(store) },
    claims: store,
    takenBackBy: (skill) => takenBackBy(skill, repository),
    heldOut: {
      ...common,
      heldOut,
      minimum: config.heldOut.minimum,
      countLook: ({ name }) => store.countHeldOutLook(name),
    },
  });
}
