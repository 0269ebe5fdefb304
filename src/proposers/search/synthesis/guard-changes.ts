import { ts } from "ts-morph";
import { guardsOf } from "./guard-fit.ts";
import {
  conditionsIn,
  insertedAt,
  likelihood,
  waysToAsk,
  type Filling,
  type MadeChange,
} from "./made-change.ts";
import type { Term } from "./terms.ts";

/** How much likelier it is to give back what is expected than to leave something out. */
const LEFT_OUT = 0.4;

/** Guards before the statement of a hole. */
export function guardsBefore(filling: Filling): readonly MadeChange[] {
  const { isResult, isRecursive } = filling.hole;
  return [...(isResult && !isRecursive ? returns(filling) : []), ...skips(filling)];
}

/** Early returns, judged by what the cases expect. */
function* returns({ hole, terms, noted }: Filling): Generator<MadeChange> {
  for (const { condition, result, fit } of guardsOf(terms, noted)) {
    for (const [{ text, cost }, usual] of waysToAsk(condition)) {
      const likely = fit * usual * likelihood(cost + result.cost + 1);
      yield insertedAt(hole, `if (${text}) return ${result.text}; `, likely);
    }
  }
}

/** Leaving the rest of a turn out where a condition holds, and the statement where it does not. */
function* skips(filling: Filling): Generator<MadeChange> {
  const { hole, terms } = filling;
  const [yes, no] = [terms.idOf(true), terms.idOf(false)];
  for (const condition of conditionsIn(terms)) {
    const fits = [fitOf(condition.best, yes, filling), fitOf(condition.best, no, filling)];
    const [whenTrue = 0, whenFalse = 0] = fits;
    for (const [{ text, cost }, usual] of waysToAsk(condition)) {
      const likely = LEFT_OUT * usual * likelihood(cost + 2);
      if (hole.isInLoop && whenTrue > 0) {
        yield insertedAt(hole, `if (${text}) continue; `, whenTrue * likely);
        yield insertedAt(hole, `if (${text}) break; `, whenTrue * likely * 0.6);
      }
      if (whenFalse > 0 && mayBeLeftOut(hole.node)) {
        yield insertedAt(hole, `if (${text}) `, whenFalse * likely);
      }
    }
  }
}

/** A statement that something else may follow, and that declares nothing. */
function mayBeLeftOut(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return true;
  const isJump = ts.isReturnStatement(node) || ts.isThrowStatement(node);
  return isJump && ts.isBlock(node.parent) && node.parent.statements.at(-1) !== node;
}

/** How well leaving out fits: it must happen in every failing case, and seldom in passing ones. */
function fitOf({ vector }: Term, when: number, { noted }: Filling): number {
  const runs = noted.runs.filter(({ isForced }) => !isForced);
  const happens = runs.map(({ from, to }) => vector.slice(from, to).includes(when));
  if (runs.some(({ passed, isComplete }, at) => !passed && isComplete && !happens[at])) return 0;
  const passing = runs.filter(({ passed }) => passed).length;
  const disturbed = runs.filter(({ passed }, at) => passed && happens[at]).length;
  return 1 - (0.7 * disturbed) / Math.max(1, passing);
}
