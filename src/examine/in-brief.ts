import type { Case } from "../domain/case.ts";
import type { Program, Skill } from "../domain/skill.ts";
import { examine, type Examination, type ExaminePorts } from "./examine.ts";

/** Time in which a case ends, or is looked at again, in milliseconds. */
const BRIEF_MS = 300;

/** A case that takes this many times as long as the slowest that ends is taken to be endless. */
const PATIENCE = 20;

type Input = {
  readonly skill: Skill;
  readonly cases: readonly Case[];
  readonly program?: Program;
  readonly witness?: boolean;
  /** Some case is known to be endless. */
  readonly isEndless?: boolean;
};

/**
 * Puts the questions of many cases to a skill, as `examine` does, without the whole limit for each
 * that does not end: an endless loop is mostly met by most of the cases. A case gets a short time
 * first; of those that do not end in it, and not in many times what the slowest of the others takes,
 * one gets all of the limit. If that one ends, the rest get it too; else they have timed out as well.
 */
export async function examineInBrief(
  input: Input,
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<Examination> {
  const limitMs = input.skill.manifest.limits.timeoutMs;
  if (limitMs <= BRIEF_MS) return await examine(input, ports, signal);
  const again = (found: Examination, positions: readonly number[], timeoutMs: number) =>
    examineAgain(found, positions, { input, timeoutMs, ports, signal });
  const all = input.cases.map((_, at) => at);
  const nothing: Examination = { judged: [], recorded: [], hits: [] };
  let found = await again(nothing, all, BRIEF_MS);
  let late = lateIn(found);
  const patienceMs = Math.min(limitMs, Math.ceil(PATIENCE * slowestIn(found)));
  if (late.length > 0 && patienceMs > BRIEF_MS) {
    found = await again(found, late, patienceMs);
    late = lateIn(found);
  }
  const [first, ...rest] = late;
  if (first === undefined || patienceMs === limitMs || input.isEndless === true) return found;
  found = await again(found, [first], limitMs);
  return lateIn(found).includes(first) ? found : await again(found, rest, limitMs);
}

function lateIn({ judged }: Examination): readonly number[] {
  return judged.flatMap(({ outcome }, at) => (outcome.status === "timed-out" ? [at] : []));
}

/** Of the cases that end, in milliseconds. */
function slowestIn({ judged }: Examination): number {
  const ended = judged.filter(({ outcome }) => outcome.status !== "timed-out");
  return Math.max(0, ...ended.map(({ trace }) => trace.usage.wallMs));
}

/** The examination with what these cases come to under another limit. */
async function examineAgain(
  found: Examination,
  positions: readonly number[],
  {
    input,
    timeoutMs,
    ports,
    signal,
  }: {
    readonly input: Input;
    readonly timeoutMs: number;
    readonly ports: ExaminePorts;
    readonly signal: AbortSignal;
  },
): Promise<Examination> {
  if (positions.length === 0) return found;
  const { manifest } = input.skill;
  const limits = { ...manifest.limits, timeoutMs };
  const skill = { ...input.skill, manifest: { ...manifest, limits } };
  const cases = positions.map((at) => input.cases[at] as Case);
  const next = await examine({ ...input, skill, cases, unconfirmed: true }, ports, signal);
  const [judged, recorded, hits] = [[...found.judged], [...found.recorded], [...found.hits]];
  for (const [at, one] of next.judged.entries()) {
    const position = positions[at] as number;
    judged[position] = one;
    recorded[position] = next.recorded[at] ?? [];
    hits[position] = next.hits[at] ?? [];
  }
  return { judged, recorded, hits };
}
