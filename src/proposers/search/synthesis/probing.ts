import type { Case } from "../../../domain/case.ts";
import { isJsonObject, type Json } from "../../../domain/json.ts";
import type { Skill } from "../../../domain/skill.ts";
import { environmentOf } from "../../../domain/world.ts";
import { grantsOf, type ExaminePorts } from "../../../examine/examine.ts";
import type { NotedContext, Probe } from "../../../ports/editor.ts";
import type { ProbePlan } from "./recorder.ts";

/** What a probe said of one call; its values are as the guest wrote them, of any form. */
export type Probed = {
  /** `["returned", value]`, `["threw", name, message]` or `["spent"]`. */
  readonly outcome: readonly Json[];
  /** Times that each hole was passed. */
  readonly counts: readonly number[];
  readonly notes: readonly (NotedContext & { readonly hole: number })[];
  /** Turns of loops and entries into functions that it took. */
  readonly used: number;
};

export type ProbePorts = Pick<ExaminePorts, "sandbox" | "hosts">;

/** A plan for one case. */
export type Asked = { readonly case: Case; readonly plan: ProbePlan };

/** Longest time of one call and largest answer: a probe says more than the skill does. */
const CALL_MS = 1_000;
const ANSWER_BYTES = 4_194_304;

/** Puts plans to a probe in the sandbox; null for each call that did not come to an answer. */
export async function probed(
  { program }: Probe,
  {
    skill,
    asked,
    fresh,
  }: { readonly skill: Skill; readonly asked: readonly Asked[]; readonly fresh: boolean },
  { sandbox, hosts }: ProbePorts,
  signal: AbortSignal,
): Promise<readonly (Probed | null)[]> {
  const { capabilities, limits } = skill.manifest;
  const grants = grantsOf(capabilities);
  const calls = asked.map(({ case: { args, world }, plan }) => ({
    args: [plan as unknown as Json, ...args],
    grants,
    environment: environmentOf(world),
    host: hosts.table(world, capabilities, "closed"),
  }));
  const bounds = {
    ...limits,
    timeoutMs: CALL_MS,
    outputBytes: ANSWER_BYTES,
  };
  const results = await sandbox.execute(
    { program, calls, limits: bounds, fresh, unconfirmed: true },
    signal,
  );
  return asked.map((_, at) => {
    const outcome = results[at]?.trace.outcome;
    return outcome?.status === "returned" ? readAnswer(outcome.value) : null;
  });
}

/** What a guest says is read with care: its program may have any form. */
function readAnswer(value: Json): Probed | null {
  if (!isJsonObject(value)) return null;
  const { outcome, counts, notes, used } = value;
  if (!Array.isArray(outcome) || !Array.isArray(counts) || !Array.isArray(notes)) return null;
  if (!isCount(used) || !(counts as readonly Json[]).every(isCount)) return null;
  return {
    outcome: outcome as readonly Json[],
    counts: counts as readonly number[],
    notes: (notes as readonly Json[]).flatMap(readNote),
    used,
  };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function readNote(note: Json): Probed["notes"] {
  if (!isJsonObject(note)) return [];
  const { hole, atoms, was } = note;
  if (typeof hole !== "number" || !Array.isArray(atoms) || was === undefined) return [];
  return [{ hole, atoms: atoms as readonly Json[], was }];
}
