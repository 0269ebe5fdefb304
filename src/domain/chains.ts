import { composed, type Composed, type Flow } from "./composed.ts";
import { isJsonObject, sameJson, type Json, type JsonObject } from "./json.ts";
import type { Run } from "./task.ts";
import { exchangesOf, type Request } from "./trace.ts";

/** Skills that runs call one after the other with values flowing between them, as one program. */
export type Chain = Composed & {
  readonly calls: readonly string[];
  readonly runs: readonly Run[];
};

/** One answered call of a skill. */
export type Called = {
  readonly skill: string;
  readonly input: JsonObject;
  readonly value: Json;
};

/** Calls of one run that follow each other. */
export type Occurrence = { readonly run: Run; readonly steps: readonly Called[] };

/** Longest sequence that is looked for. */
const LONGEST = 4;

/** Pieces of an answer are looked for this many members deep. */
const DEEPEST = 2;

/**
 * Sequences of calls in which each is given something that the one before answered: a piece of the
 * answer, found at the same place in every run that makes these calls in this order, and not always
 * the same value. A sequence that only some of these runs link, whose answer does not follow from
 * what it is given, or that some skill consists of already, is none.
 */
export function chainsIn(runs: readonly Run[], minimumRuns: number): readonly Chain[] {
  const seen = runs.map((run) => ({ run, calls: callsOf(run) }));
  const groups = Map.groupBy(
    seen.flatMap(({ run, calls }) => occurrencesIn(run, calls)),
    ({ steps }) => nameOf(steps),
  );
  const chains = [...groups.values()].flatMap((occurrences): Chain[] => {
    const [first] = occurrences;
    const distinct = [...new Set(occurrences.map(({ run }) => run))];
    if (first === undefined || distinct.length < minimumRuns) return [];
    const order = first.steps.map(({ skill }) => skill);
    if (seen.some(({ run, calls }) => !distinct.includes(run) && hasInOrder(calls, order)))
      return [];
    if (occurrences.some((one) => isWhole(one))) return [];
    const flows = flowsOf(occurrences);
    const made = flows === null ? null : composed(occurrences, flows);
    return made === null ? [] : [{ ...made, calls: order, runs: distinct }];
  });
  return chains.filter((one) => !chains.some((other) => isPartOf(one, other)));
}

function callsOf({ trace }: Run): readonly Called[] {
  return exchangesOf(trace).flatMap(({ request, answer }) => {
    if (answer?.status !== "resolved") return [];
    const asked = skillCallOf(request);
    return asked === null ? [] : [{ ...asked, value: answer.value }];
  });
}

/** What a request asks of which skill; null for one that `ctx` never makes. */
export function skillCallOf({ kind, args }: Request): Omit<Called, "value"> | null {
  if (kind !== "skills.call" || !isJsonObject(args)) return null;
  const { name, input } = args;
  return typeof name === "string" && isJsonObject(input) ? { skill: name, input } : null;
}

/** From each call, the calls that go on with what was answered, of every length. */
function occurrencesIn(run: Run, calls: readonly Called[]): readonly Occurrence[] {
  return calls.flatMap((_, from) => {
    const found: Occurrence[] = [];
    let steps = calls.slice(from, from + 1);
    for (let at = from + 1; at < calls.length && steps.length < LONGEST; at += 1) {
      const [last, next] = [steps.at(-1), calls[at]];
      if (last === undefined || next === undefined || linksOf(last, next).length === 0) continue;
      steps = [...steps, next];
      found.push({ run, steps });
    }
    return found;
  });
}

function nameOf(steps: readonly Called[]): string {
  return steps
    .map(({ skill, input }) => `${skill}(${Object.keys(input).toSorted().join()})`)
    .join(" ");
}

function hasInOrder(calls: readonly Called[], order: readonly string[]): boolean {
  let at = 0;
  for (const { skill } of calls) if (skill === order[at]) at += 1;
  return at === order.length;
}

/** Whether a run is nothing but this sequence: then its skill is the one that would be proposed. */
function isWhole({ run, steps }: Occurrence): boolean {
  const { outcome } = run.trace;
  const last = steps.at(-1);
  return (
    last !== undefined &&
    callsOf(run).length === steps.length &&
    outcome.status === "returned" &&
    sameJson(outcome.value, last.value)
  );
}

/** By step after the first, the links that hold in every occurrence; null where a step has none. */
function flowsOf(occurrences: readonly Occurrence[]): readonly (readonly Flow[])[] | null {
  const length = occurrences[0]?.steps.length ?? 0;
  const flows: (readonly Flow[])[] = [];
  for (let at = 1; at < length; at += 1) {
    const pairs = occurrences.flatMap(({ steps }) => {
      const [last, next] = [steps[at - 1], steps[at]];
      return last === undefined || next === undefined ? [] : [{ last, next }];
    });
    const [first] = pairs;
    if (first === undefined) return null;
    const lasting = linksOf(first.last, first.next).filter(
      (link) =>
        pairs.every(({ last, next }) => isLinked(link, last, next)) &&
        pairs.some(
          ({ next }) =>
            !sameJson(next.input[link.member] ?? null, first.next.input[link.member] ?? null),
        ),
    );
    // One place for each member: the nearest to the root.
    const byMember = new Map(lasting.toReversed().map((link) => [link.member, link] as const));
    if (byMember.size === 0) return null;
    flows.push([...byMember.values()]);
  }
  return flows;
}

/** Members of a call's input that are pieces of the answer before it, the outermost first. */
function linksOf(last: Called, next: Called): readonly Flow[] {
  return Object.entries(next.input).flatMap(([member, value]) =>
    piecesOf(last.value)
      .filter(({ piece }) => isTelling(piece) && sameJson(piece, value))
      .map(({ path }) => ({ member, path })),
  );
}

function isLinked({ member, path }: Flow, last: Called, next: Called): boolean {
  const found = piecesOf(last.value).find((one) => sameJson([...one.path], [...path]));
  const value = next.input[member];
  return found !== undefined && value !== undefined && sameJson(found.piece, value);
}

type Piece = { readonly path: readonly string[]; readonly piece: Json };

/** A value and its members, the outermost first. */
function piecesOf(value: Json, path: readonly string[] = []): readonly Piece[] {
  const own = [{ path, piece: value }];
  if (!isJsonObject(value) || path.length >= DEEPEST) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, each]) => piecesOf(each, [...path, key])),
  ];
}

/** Values that are equal by chance say nothing. */
function isTelling(value: Json): boolean {
  return value !== null && value !== "" && typeof value !== "boolean" && !sameJson(value, []);
}

function isPartOf(one: Chain, other: Chain): boolean {
  return (
    one !== other &&
    one.calls.length < other.calls.length &&
    one.runs.length <= other.runs.length &&
    ` ${other.calls.join(" ")} `.includes(` ${one.calls.join(" ")} `)
  );
}
