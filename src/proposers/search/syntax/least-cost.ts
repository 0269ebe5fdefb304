import { oddityOf } from "./oddity.ts";
import type { Fault, FaultOf, TextSplice } from "./token-edit.ts";
import { tokenEdits } from "./token-edits.ts";

/** A text that parses, made of one that does not. */
export type ParsableText = {
  readonly text: string;
  /** What it took, step by step. */
  readonly says: readonly string[];
  /** Smaller is likelier. */
  readonly cost: number;
};

/** Steps at most; texts kept from one step for the next, in all and of one next fault. */
const STEPS = 3;
const BEAM = 12;
const OF_ONE_FAULT = 3;

/** Characters given to the parser at most: some seconds' worth. */
const MOST_CHARACTERS = 10_000_000;

/** What one more thing that the parser has against a text weighs. */
const PER_FAULT = 0.25;

/** Texts that are looked at closely, at most. */
const MOST_WEIGHED = 200;

type State = {
  readonly text: string;
  readonly fault: Fault;
  readonly cost: number;
  readonly says: readonly string[];
};

/**
 * Texts that parse, the likeliest first: those that the fewest and cheapest token edits make of a
 * text that does not. Least-cost error correction (Aho and Peterson, SIAM J. Comput. 1972), searched
 * from the place of the error as in CPCT+, which returns all repairs of least cost (Diekmann and
 * Tratt, Don't Panic!, ECOOP 2020), here over whole parses: a step counts as progress where the
 * first fault moves down, and its text is a start for the next one. Which of them is meant is told
 * by the layout of the text and by names, as far as it can be told before anything runs.
 */
export function parsableTexts(
  { text, entry }: { readonly text: string; readonly entry: string | null },
  faultOf: FaultOf,
  limit: number,
): readonly ParsableText[] {
  const fault = faultOf(text);
  if (fault === null) return [];
  let states: readonly State[] = [{ text, fault, cost: 0, says: [] }];
  const seen = new Set([text]);
  const purse = { left: MOST_CHARACTERS };
  for (let step = 0; step < STEPS && states.length > 0; step += 1) {
    const { parsable, further } = steps(states, {
      faultOf,
      seen,
      purse,
      entry,
      isFirst: step === 0,
    });
    if (parsable.length > 0) return weighed(parsable).slice(0, limit);
    states = promising(further);
  }
  return [];
}

type Search = {
  readonly faultOf: FaultOf;
  readonly seen: Set<string>;
  readonly purse: { left: number };
  readonly entry: string | null;
  readonly isFirst: boolean;
};

/** One more edit for each text: what parses then, and what comes further. */
function steps(
  states: readonly State[],
  { faultOf, seen, purse, entry, isFirst }: Search,
): { readonly parsable: readonly ParsableText[]; readonly further: readonly State[] } {
  const parsable: ParsableText[] = [];
  const further: State[] = [];
  const share = purse.left / (isFirst ? 2 : 1.5) / states.length;
  for (const state of states) {
    let left = share;
    for (const edit of tokenEdits({ text: state.text, at: state.fault.at, entry }, isFirst)) {
      const text = spliced(state.text, edit.splices);
      if (seen.has(text)) continue;
      seen.add(text);
      left -= text.length;
      purse.left -= text.length;
      if (left < 0) break;
      const next = { text, cost: state.cost + edit.cost, says: [...state.says, edit.says] };
      const fault = faultOf(text);
      if (fault === null) parsable.push(next);
      else if (leftBehind(fault, text) < leftBehind(state.fault, state.text)) {
        further.push({ ...next, fault });
      }
    }
  }
  return { parsable, further };
}

/** Characters from the first fault to the end. */
function leftBehind({ at }: Fault, text: string): number {
  return text.length - at;
}

/** The cheapest, not too many of which meet the same fault next. */
function promising(states: readonly State[]): readonly State[] {
  const costOf = ({ cost, fault }: State): number => cost + PER_FAULT * Math.min(12, fault.count);
  const perFault = new Map<number, number>();
  return states
    .toSorted((a, b) => costOf(a) - costOf(b))
    .filter(({ fault, text }) => {
      const key = leftBehind(fault, text);
      perFault.set(key, (perFault.get(key) ?? 0) + 1);
      return (perFault.get(key) ?? 0) <= OF_ONE_FAULT;
    })
    .slice(0, BEAM);
}

/** Those that look least odd first. */
function weighed(parsable: readonly ParsableText[]): readonly ParsableText[] {
  return parsable
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MOST_WEIGHED)
    .map((one) => ({ ...one, cost: one.cost + oddityOf(one.text) }))
    .toSorted((a, b) => a.cost - b.cost);
}

function spliced(text: string, splices: readonly TextSplice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: inserted } of splices) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}
