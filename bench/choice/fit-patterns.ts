/**
 * Fits the priors of pattern changes: faults are put into correct patterns, repairs are made from a
 * few rows, and those that are right on rows kept back tell which kinds of change to trust. A
 * log-linear choice among the repairs of one fault, fitted by gradient ascent with a pull to 1.
 * `node bench/choice/fit-patterns.ts [faults per pattern]`
 */
import { createContext, runInContext } from "node:vm";
import type { Json } from "../../src/domain/json.ts";
import type { Outcome } from "../../src/domain/trace.ts";
import type { CapabilityHosts } from "../../src/ports/capabilities.ts";
import type { Lesson, PatternText, PatternVariant } from "../../src/ports/editor.ts";
import type { CallResult, Sandbox } from "../../src/ports/sandbox.ts";
import { holeTexts, patternChanges } from "../../src/proposers/search/regexes/learn.ts";
import { Matcher } from "../../src/proposers/search/regexes/matching.ts";
import { PATTERN_PRIORS } from "../../src/proposers/search/regexes/pattern-priors.ts";
import { synthesise } from "../../src/proposers/search/regexes/synthesis.ts";
import { drawOf } from "./draw.ts";
import { faultIn, PATTERNS, type PatternFault } from "./patterns.ts";

/** A sandbox without a wall: the patterns here are our own, and only time has to be watched. */
const sandbox: Sandbox = {
  tier: "isolate",
  execute: async ({ program, calls, limits }) => {
    const answers = calls.map(({ args }): Outcome => {
      const text = `JSON.stringify((${program.text})(...${JSON.stringify(args)}))`;
      try {
        const value = runInContext(text, context, { timeout: limits.timeoutMs }) as string;
        return { status: "returned", value: JSON.parse(value) as Json };
      } catch {
        return { status: "timed-out", afterMs: limits.timeoutMs };
      }
    });
    return answers.map((outcome) => ({ trace: { outcome }, hits: [] }) as unknown as CallResult);
  },
  [Symbol.asyncDispose]: async () => undefined,
};
const context = createContext();
const hosts = { table: () => ({ recorded: [] }) } as unknown as CapabilityHosts;
const { signal } = new AbortController();

const portsNow = () => ({
  editor: {
    patternHoles: async (patterns: readonly PatternText[]) => patterns.map(holeTexts),
    patternChanges: async (lessons: readonly Lesson[]) => lessons.map(patternChanges),
  },
  matcher: new Matcher({ sandbox, hosts }),
  isOver: () => false,
});

type Repair = PatternVariant & { readonly right: boolean; readonly key: string };
type Study = {
  readonly part: number;
  readonly fault: PatternFault;
  readonly repairs: readonly Repair[];
};

const PULL = 0.02;
const STEPS = 300;

const [perPattern = "6"] = process.argv.slice(2);
const studies: Study[] = [];
for (const [at, pattern] of PATTERNS.entries()) {
  const draw = drawOf(3_000 + at);
  for (let left = Number(perPattern); left > 0; left -= 1) {
    const fault = faultIn(pattern, draw);
    if (fault !== null) studies.push({ part: at % 2, fault, repairs: await repairsOf(fault) });
  }
}
for (const trained of [0, 1]) {
  const learnt = fitted(studies.filter(({ part }) => part === trained));
  const others = studies.filter(({ part }) => part !== trained);
  console.log(`kept back: before ${score(others, new Map())}, after ${score(others, learnt)}`);
}
const learnt = fitted(studies);
console.log(`all: before ${score(studies, new Map())}, after ${score(studies, learnt)}`);
for (const [kind, prior] of Object.entries(PATTERN_PRIORS)) {
  const value = prior * Math.exp(learnt.get(kind) ?? 0);
  console.log(`  "${kind}": ${Number(value.toPrecision(2))},`);
}

async function repairsOf({ faulty, visible, heldOut, questions }: PatternFault): Promise<Repair[]> {
  const ports = portsNow();
  const found = await synthesise(faulty, visible, ports, signal);
  const texts = [...heldOut.map(({ text }) => text), ...questions];
  const matches = await ports.matcher.matches(found, { texts, name: "" }, signal);
  return found.map((one, at) => {
    const found = (matches[at] ?? []).map((match) => match !== null);
    const right = heldOut.every(({ wants }, row) => found[row] === wants);
    return { ...one, right, key: found.slice(heldOut.length).map(Number).join("") };
  });
}

function massOf({ weight, kinds }: Repair, learnt: ReadonlyMap<string, number>): number {
  return weight * Math.exp(kinds.reduce((sum, kind) => sum + (learnt.get(kind) ?? 0), 0));
}

function fitted(some: readonly Study[]): ReadonlyMap<string, number> {
  const learnt = new Map<string, number>();
  const mixed = some.filter(({ repairs }) => new Set(repairs.map(({ right }) => right)).size > 1);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = new Map<string, number>();
    for (const { repairs } of mixed) {
      const masses = repairs.map((one) => massOf(one, learnt));
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      const right = masses.reduce((sum, mass, at) => sum + (repairs[at]?.right ? mass : 0), 0);
      for (const [at, one] of repairs.entries()) {
        const share = (masses[at] ?? 0) / total;
        const gain = (one.right ? (masses[at] ?? 0) / right : 0) - share;
        for (const kind of one.kinds) slope.set(kind, (slope.get(kind) ?? 0) + gain);
      }
    }
    for (const [kind, by] of slope) {
      const now = learnt.get(kind) ?? 0;
      learnt.set(kind, now + 2 * (by / mixed.length - PULL * now));
    }
  }
  return learnt;
}

/** Faults; those repaired; with a right repair; whose likeliest repair, and behaviour, is right. */
function score(some: readonly Study[], learnt: ReadonlyMap<string, number>): string {
  const counts = {
    faults: some.length,
    plausible: 0,
    possible: 0,
    first: 0,
    behaviour: 0,
    highest: 0,
  };
  for (const { repairs } of some) {
    const order = repairs.toSorted((a, b) => massOf(b, learnt) - massOf(a, learnt));
    const groups = [...Map.groupBy(order, ({ key }) => key).values()];
    const weigh = (group: readonly Repair[]): number =>
      group.reduce((sum, one) => sum + massOf(one, learnt), 0);
    const [most] = groups.toSorted((a, b) => weigh(b) - weigh(a));
    counts.plausible += Number(order.length > 0);
    counts.possible += Number(order.some(({ right }) => right));
    counts.first += Number(order[0]?.right === true);
    counts.behaviour += Number(most?.[0]?.right === true);
  }
  return JSON.stringify(counts);
}
