import type { ts } from "ts-morph";
import { precedenceOf, PRECEDENCE } from "../precedence.ts";
import { Fit } from "./fit.ts";
import {
  conditionsIn,
  isFixed,
  likelihood,
  promiseOf,
  replacedBy,
  type Filling,
  type MadeChange,
} from "./made-change.ts";

/** What is left of a condition that holds in every context noted, or in none. */
const FIXED = 0.2;

/** What one more condition beside the hole's own has of the prior of another one. */
const MORE = 0.6;

/** Values and conditions that are combined to a conditional expression, the cheapest of each. */
const MOST_VALUES = 60;
const MOST_CONDITIONS = 300;

/** Expressions in the place of the hole's own. */
export function* replacements({ hole, terms, noted, scene }: Filling): Generator<MadeChange> {
  const isCondition = hole.kind === "condition";
  const isResult = hole.isResult && !hole.isRecursive;
  const fit = new Fit(noted, terms, { isCondition, isResult });
  const kinds = new Set(fit.was.filter((id) => id >= 0).map((id) => terms.kindOf([id])));
  const own = hole.node.getText(scene.file);
  for (const { best, others } of terms.classes) {
    const isOfKind = isCondition
      ? best.kind === "boolean"
      : isResult || kinds.size !== 1 || kinds.has(best.kind);
    const share = isOfKind ? fit.of(best) : 0;
    if (share === 0) continue;
    const usual = isCondition && isFixed(best) ? FIXED : 1;
    for (const term of [best, ...others]) {
      if (term.text !== own) yield replacedBy(term, hole, usual * share * promiseOf(own, term));
    }
  }
}

/** The condition with one more beside it. */
export function* connected({ hole, terms, noted, scene }: Filling): Generator<MadeChange> {
  const node = hole.node as ts.Expression;
  const fit = new Fit(noted, terms, { isCondition: true, isResult: false });
  const [yes, no] = [terms.idOf(true), terms.idOf(false)];
  const own = node.getText(scene.file);
  if (/^(?:true|false|\d+)$/.test(own)) return;
  for (const { best: more } of conditionsIn(terms)) {
    for (const sign of ["&&", "||"] as const) {
      const decides = sign === "&&" ? no : yes;
      const vector = fit.was.map((was, at) =>
        was < 0 || was === decides ? was : (more.vector[at] ?? was),
      );
      const share = fit.of({ vector });
      if (share === 0) continue;
      const binds = sign === "&&" ? PRECEDENCE.and : PRECEDENCE.or;
      const left = precedenceOf(node) < binds || own.includes("??") ? `(${own})` : own;
      const right = more.binds <= binds ? `(${more.text})` : more.text;
      const text = `${left} ${sign} ${right}`;
      yield replacedBy({ text, binds }, hole, share * MORE * likelihood(more.cost + 2));
    }
  }
}

/**
 * The hole's own value unless a condition holds: where another value was asked for by a case or by
 * force, and the hole's own is right elsewhere.
 */
export function* unlessGiven({ hole, terms, noted, scene }: Filling): Generator<MadeChange> {
  const node = hole.node as ts.Expression;
  const isResult = hole.isResult && !hole.isRecursive;
  const isAsked = isResult || noted.runs.some(({ isForced }) => isForced);
  const fit = new Fit(noted, terms, { isCondition: false, isResult });
  if (!isAsked || fit.was.includes(-1)) return;
  const kinds = new Set(fit.was.map((id) => terms.kindOf([id])));
  const values = terms.classes
    .map(({ best }) => best)
    .filter(({ kind }) => isResult || kinds.has(kind))
    .slice(0, MOST_VALUES);
  const conditions = conditionsIn(terms).slice(0, MOST_CONDITIONS);
  const yes = terms.idOf(true);
  const own = node.getText(scene.file);
  const last = precedenceOf(node) < PRECEDENCE.conditional ? `(${own})` : own;
  for (const value of values) {
    for (const { best: condition } of conditions) {
      const vector = fit.was.map((was, at) =>
        condition.vector[at] === yes ? (value.vector[at] ?? was) : was,
      );
      const share = fit.ofAsked({ vector });
      if (share === 0) continue;
      const test =
        condition.binds <= PRECEDENCE.conditional ? `(${condition.text})` : condition.text;
      const given = value.binds < PRECEDENCE.conditional ? `(${value.text})` : value.text;
      const text = `${test} ? ${given} : ${last}`;
      const likely = share * likelihood(condition.cost + value.cost + 2);
      yield replacedBy({ text, binds: PRECEDENCE.conditional }, hole, likely);
    }
  }
}
