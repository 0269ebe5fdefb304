import { HoneError } from "../../domain/errors.ts";
import type { Operations } from "../../ports/operations.ts";
import { runRow, runView } from "./trace-view.ts";
import type { Workspace } from "../workspace.ts";

/** Runs in one answer, unless it is said otherwise. */
const PAGE = 50;

/** The operations that show what skills did: the runs of a skill, newest first, and one whole. */
export function runsOf({
  house: { store },
}: Pick<Workspace, "house">): Pick<Operations, "runs" | "run"> {
  return {
    async runs({ skill, limit = PAGE, before }) {
      const query = { skill, heldOut: false, limit };
      const found = store.runs({ ...query, ...(before === undefined ? {} : { before }) });
      const next = found.length < limit ? null : (found.at(-1)?.id ?? null);
      return { schemaVersion: 1, skill, runs: found.map(runRow), next };
    },
    async run({ id }) {
      const found = store.run(id);
      if (found === null) throw new HoneError("not-found", `there is no run ${id}`);
      return { schemaVersion: 1, ...runView(found) };
    },
  };
}
