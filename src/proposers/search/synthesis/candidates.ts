import type { ts } from "ts-morph";
import type { Noted } from "../../../ports/editor.ts";
import type { Splice } from "../change.ts";
import { OPERATORS } from "../operator-table.ts";
import { inPlaceOf, precedenceOf, PRECEDENCE } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import { Fit } from "./fit.ts";
import { guardsOf } from "./guard-fit.ts";
import type { Hole } from "./holes.ts";
import { hasValues, leavesOf, membersSeen, type Ingredients } from "./leaves.ts";
import { likeness } from "./likeness.ts";
import { OPERATIONS } from "./operations.ts";
import { Terms, type Term, type TermClass, type TermLimits } from "./terms.ts";

/** A change that puts a synthesised expression into a hole. */
export type Synthesised = {
  readonly operator: "synthesise-condition" | "synthesise-value" | "synthesise-guard";
  readonly splices: readonly Splice[];
  readonly prior: number;
};

/** Bounds of one hole's expressions: a tenth of a second or so. */
const LIMITS: TermLimits = { cost: 12, work: 500_000, classes: 6_000 };

/** What one more unit of cost leaves of a prior. */
const PER_COST = 0.8;

/** What another expression of a class has of the first one's prior: as simple, or less so. */
const ALIKE = 0.9;
const SECOND = 0.4;

/** What is left of a condition that holds in every context noted, or in none. */
const FIXED = 0.2;

/** Changes of one hole at most: guards fit easily, and are seldom right. */
const MOST = { condition: 400, value: 400, guard: 60 } as const;

/** Changes for one hole from what was noted there, the likeliest first. */
export function candidatesFor(hole: Hole, noted: Noted, scene: Scene): readonly Synthesised[] {
  const { node, atoms } = hole;
  const ingredients: Ingredients = {
    atoms,
    own: node.getText(scene.file),
    numbers: scene.numbers,
    strings: scene.strings,
    members: scene.members,
  };
  const contexts = noted.contexts.map((context) => context.atoms);
  const leaves = leavesOf(ingredients, contexts);
  if (contexts.length === 0 || !hasValues(leaves)) return [];
  const operations = [...membersSeen(ingredients, contexts), ...OPERATIONS];
  const terms = new Terms(leaves, operations, LIMITS);
  const made = madeFor({ hole, terms, noted, scene });
  return made.toSorted((a, b) => b.prior - a.prior).slice(0, MOST[hole.kind]);
}

type Made = {
  readonly hole: Hole;
  readonly terms: Terms;
  readonly noted: Noted;
  readonly scene: Scene;
};

function madeFor(made: Made): readonly Synthesised[] {
  switch (made.hole.kind) {
    case "condition":
      return [...replacements(made), ...connected(made)];
    case "value":
      return [...replacements(made)];
    case "guard":
      return [
        ...(made.hole.isResult && !made.hole.isRecursive ? returns(made) : []),
        ...skips(made),
      ];
  }
}

/** Expressions in the place of the hole's own. */
function* replacements({ hole, terms, noted, scene }: Made): Generator<Synthesised> {
  const node = hole.node as ts.Expression;
  const isCondition = hole.kind === "condition";
  const isResult = hole.isResult && !hole.isRecursive;
  const fit = new Fit(noted, terms, { isCondition, isResult });
  const kinds = new Set(fit.was.filter((id) => id >= 0).map((id) => kindAt(terms, id)));
  const own = node.getText(scene.file);
  for (const one of terms.classes) {
    const { best } = one;
    const isOfKind = isCondition
      ? best.kind === "boolean"
      : kinds.size !== 1 || kinds.has(best.kind);
    const usual = isCondition && isFixed(best) ? FIXED : 1;
    const share = isOfKind || isResult ? usual * fit.of(best) : 0;
    if (share === 0) continue;
    for (const [term, less] of membersOf(one)) {
      if (term.text === own) continue;
      const text = inPlaceOf(node, term.text, term.binds);
      const weight = share * less * (0.3 + 0.7 * likeness(own, term.text));
      const operator = isCondition ? "synthesise-condition" : "synthesise-value";
      yield replaced(operator, hole, text, weight * PER_COST ** term.cost);
    }
  }
}

/** The condition with one more beside it. */
function* connected({ hole, terms, noted, scene }: Made): Generator<Synthesised> {
  const node = hole.node as ts.Expression;
  const fit = new Fit(noted, terms, { isCondition: true, isResult: false });
  const [yes, no] = [terms.idOf(true), terms.idOf(false)];
  const own = node.getText(scene.file);
  for (const { best } of terms.classes) {
    if (best.kind !== "boolean" || isFixed(best)) continue;
    for (const sign of ["&&", "||"] as const) {
      const vector = best.vector.map((id, at) => {
        const was = fit.was[at] ?? -1;
        return was < 0 ? was : sign === "&&" ? (was === yes ? id : no) : was === yes ? yes : id;
      });
      const share = fit.of({ vector });
      if (share === 0) continue;
      const binds = sign === "&&" ? PRECEDENCE.and : PRECEDENCE.or;
      const left = precedenceOf(node) < binds || own.includes("??") ? `(${own})` : own;
      const right = best.binds <= binds ? `(${best.text})` : best.text;
      const text = inPlaceOf(node, `${left} ${sign} ${right}`, binds);
      yield replaced("synthesise-condition", hole, text, share * PER_COST ** (best.cost + 2));
    }
  }
}

/** Early returns, judged by what the cases expect. */
function* returns({ hole, terms, noted }: Made): Generator<Synthesised> {
  for (const { condition, result, fit } of guardsOf(terms, noted)) {
    const text = `if (${condition.text}) return ${result.text}; `;
    yield inserted(hole, text, fit * PER_COST ** (condition.cost + result.cost + 1));
  }
}

/** Leaving a statement out where a condition holds, and in a loop the rest of the turn. */
function* skips({ hole, terms, noted }: Made): Generator<Synthesised> {
  const truth = terms.idOf(true);
  const runs = noted.runs.filter(({ isForced }) => !isForced);
  const endings = hole.isInLoop ? (["continue", "break"] as const) : [];
  for (const { best } of terms.classes) {
    if (best.kind !== "boolean" || isFixed(best)) continue;
    const holds = runs.map(({ from, to }) => best.vector.slice(from, to).includes(truth));
    if (runs.some(({ passed, isComplete }, at) => !passed && isComplete && !holds[at])) continue;
    const passing = runs.filter(({ passed }) => passed).length;
    const disturbed = runs.filter(({ passed }, at) => passed && holds[at]).length;
    const fit = 1 - (0.7 * disturbed) / Math.max(1, passing);
    for (const ending of endings) {
      yield inserted(
        hole,
        `if (${best.text}) ${ending}; `,
        0.4 * fit * PER_COST ** (best.cost + 2),
      );
    }
  }
}

function replaced(
  operator: Synthesised["operator"],
  { node, weight }: Hole,
  text: string,
  likely: number,
): Synthesised {
  const splices = [{ op: "splice", start: node.getStart(), end: node.end, text }] as const;
  return { operator, splices, prior: OPERATORS[operator].prior * weight * likely };
}

function inserted({ node, weight }: Hole, text: string, likely: number): Synthesised {
  const start = node.getStart();
  const splices = [{ op: "splice", start, end: start, text }] as const;
  const operator = "synthesise-guard";
  return { operator, splices, prior: OPERATORS[operator].prior * weight * likely };
}

/** Whether a condition always holds, or never, as far as was noted. */
function isFixed({ vector }: Term): boolean {
  return vector.every((id) => id === vector[0]);
}

/** The simplest of a class, and one or two that may differ from it where nobody has looked. */
function* membersOf({ best, others }: TermClass): Generator<readonly [Term, number]> {
  yield [best, 1];
  for (const [at, other] of others.entries()) {
    yield [other, other.cost === best.cost ? ALIKE : SECOND ** (at + 1)];
  }
}

function kindAt(terms: Terms, id: number): Term["kind"] {
  return terms.kindOf([id]);
}
