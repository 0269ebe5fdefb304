import { conceive } from "../../births.ts";
import { splitExamples, typed, type Birth } from "../../domain/birth.ts";
import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { recurringIn, type Recurring } from "../../domain/recurring.ts";
import { skillFilesOf } from "../../domain/skill-text.ts";
import { blankOf } from "../../domain/sketch.ts";
import type { Run } from "../../domain/task.ts";
import type { House } from "../../ports/house.ts";
import type { BirthRequest, Operations } from "../../ports/operations.ts";
import { candidateRow } from "../views/candidate-row.ts";
import { follow } from "../follow.ts";
import { askedFor, composedOf, type Asked } from "./requested.ts";
import { refuseInSafeMode } from "../life/safe-mode.ts";
import { refuseWhilePaused } from "../model/spending.ts";
import { unlessPaused } from "./unless-paused.ts";
import type { Workspace } from "../workspace.ts";

/** The operations by which a new skill is asked for. */
export function beginningsOf(workspace: Workspace): Pick<Operations, "birth" | "recurring"> {
  const { house, config, signal } = workspace;
  return {
    async birth(request) {
      refuseInSafeMode(workspace.mode);
      refuseWhilePaused(house.store);
      await follow(workspace);
      const asked = await requested(request, workspace);
      const { name } = asked.wanted;
      if ((await house.library.names()).includes(name)) {
        throw new HoneError("refused", `there is a skill ${name} already`);
      }
      const birth = await birthOf(asked, config.birth.heldOutShare, house);
      void house.containers?.warm();
      const settled = await workspace.oneImprovement(() =>
        unlessPaused(house.store, signal, (until) => conceive(birth, house, until)),
      );
      return {
        schemaVersion: 1,
        skill: name,
        result: settled.result,
        reason: settled.reason,
        candidate: settled.candidate,
        incident: settled.incident,
        visible: birth.visible.length,
        heldOut: birth.heldOut.length,
        tried: settled.tried,
        candidates: rowsOf(settled.incident, house),
      };
    },
    async recurring() {
      const found = await recurrences(workspace);
      return { schemaVersion: 1, recurring: found.map(rowOf) };
    },
  };
}

async function requested(request: BirthRequest, workspace: Workspace): Promise<Asked> {
  if (request.from === undefined) return askedFor(request);
  const found = (await recurrences(workspace)).find(({ id }) => id === request.from);
  if (found === undefined) {
    throw new HoneError("not-found", `nothing that recurs has the id ${request.from}`, {
      hint: "`hone new` without a name lists what recurs.",
    });
  }
  return composedOf(found, request);
}

/**
 * Sets some of the examples aside, and takes the types from those that are left: what a proposer is
 * shown was made without a look at the others. Throws `bad-input`.
 */
async function birthOf(
  { wanted: untyped, examples }: Asked,
  share: number,
  { library, newId }: House,
): Promise<Birth> {
  const anything = typed(untyped, { visible: [], heldOut: [] });
  const { name } = untyped;
  const files = {
    ...skillFilesOf(anything, blankOf(anything).source, []),
    "cases.jsonl": examples.map((one) => `${JSON.stringify(one)}\n`).join(""),
  };
  const read = await library.draft(name, files);
  if (read.status === "unsound") {
    throw new HoneError("bad-input", `${name} cannot be made: ${read.problems.join("; ")}`);
  }
  const { visible, heldOut } = splitExamples(name, read.skill.cases, share);
  const wanted = typed(untyped, { visible, heldOut });
  const incidentId = newId("incident");
  return {
    incidentId,
    wanted,
    visible,
    heldOut,
    commit: null,
    bornAt: null,
    verdict: null,
    note: "",
  };
}

/** Runs of each skill that are looked through. */
const LOOKED_AT = 200;

/** What the runs of all skills repeat. Held-out runs are not looked at: what is found is shown. */
async function recurrences({ house, config }: Workspace): Promise<readonly Recurring[]> {
  const names = await house.library.names();
  const runs: Run[] = names.flatMap((skill) => [
    ...house.store.runs({ skill, heldOut: false, limit: LOOKED_AT }),
  ]);
  return recurringIn(runs, { known: names, minimumRuns: config.birth.minimumRuns });
}

function rowOf({ id, what, kind, runs, callers, examples }: Recurring): JsonObject {
  return { id, kind, what, runs, callers, examples: examples.length };
}

function rowsOf(incident: string, house: House): JsonObject[] {
  const [group] = house.store.groups(incident);
  if (group === undefined) return [];
  return house.store.candidates({ groupId: group.id, limit: 50 }).map(candidateRow);
}
