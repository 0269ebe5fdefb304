import { ts } from "ts-morph";
import type { Edit } from "../../src/domain/candidate.ts";
import { examine, type ExaminePorts } from "../../src/examine/examine.ts";
import type { Editor } from "../../src/ports/editor.ts";
import type { Proposer } from "../../src/ports/proposer.ts";

/** What is taken away, and where. */
type Cut = { readonly operator: string; readonly start: number; readonly end: number };

/** Deletions that are looked at, and those of them that are offered, at most. */
const MOST_TRIED = 300;
const MOST_OFFERED = 12;

/**
 * A proposer that can only take away: statements, branches, checks, operands, arguments, calls and
 * conditions. Of its deletions it offers those that satisfy every visible case (after Kali: Qi et
 * al., ISSTA 2015, which deletes and passes weak suites).
 */
export function createDeleteOnly(
  ports: Omit<ExaminePorts, "unrecorded"> & { readonly editor: Editor },
): Proposer {
  const closed = { ...ports, unrecorded: "closed" as const };
  return {
    name: "offered",
    async *propose({ skill, diagnosis, seed }, signal) {
      const { source: text, language, signature } = skill;
      const source = { text, language, entry: signature.name };
      const cases = diagnosis.judged.map((one) => one.case);
      let offered = 0;
      for (const { operator, start, end } of cutsOf(text, language === "js" ? "js" : "ts").slice(
        0,
        MOST_TRIED,
      )) {
        const edits: readonly Edit[] = [{ op: "splice", start, end, text: "" }];
        const edited = await ports.editor.apply(source, edits, signal);
        if (edited.status === "refused") continue;
        const read = await ports.editor.inspect({ ...source, text: edited.text }, signal);
        if (read.status === "unsound") continue;
        const asked = { skill, cases, program: read.program, unconfirmed: true };
        const { judged } = await examine(asked, closed, signal);
        yield { kind: "tried", programs: 1 };
        if (!judged.every(({ passed }) => passed)) continue;
        const origin = { proposer: "offered", operator, seed, parent: null } as const;
        yield { kind: "proposal", proposal: { edits, origin, reason: operator } };
        offered += 1;
        if (offered >= MOST_OFFERED) return;
      }
    },
  };
}

function cutsOf(text: string, language: "ts" | "js"): readonly Cut[] {
  const file = ts.createSourceFile(`s.${language}`, text, ts.ScriptTarget.Latest, true);
  const cuts: Cut[] = [];
  const cut = (operator: string, start: number, end: number): void => {
    if (start < end) cuts.push({ operator, start, end });
  };
  const visit = (node: ts.Node): void => {
    for (const [operator, start, end] of cutsAt(node)) cut(operator, start, end);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return cuts;
}

function* cutsAt(node: ts.Node): Generator<readonly [string, number, number]> {
  const start = node.getStart();
  if (ts.isStatement(node) && !ts.isBlock(node)) yield ["statement", start, node.end];
  if (ts.isIfStatement(node)) {
    yield ["condition", start, node.thenStatement.getStart()];
    if (node.elseStatement) {
      yield ["branch", node.thenStatement.end, node.end];
      yield ["branch", start, node.elseStatement.getStart()];
    }
  }
  if (ts.isTryStatement(node) && node.catchClause) {
    yield ["check", node.tryBlock.end - 1, node.end];
  }
  if (ts.isBinaryExpression(node)) {
    yield ["operand", start, node.right.getStart()];
    yield ["operand", node.left.end, node.end];
  }
  if (ts.isConditionalExpression(node)) {
    yield ["condition", start, node.whenTrue.getStart()];
    yield ["condition", start, node.whenFalse.getStart()];
  }
  if (ts.isPrefixUnaryExpression(node)) yield ["sign", start, node.operand.getStart()];
  if (ts.isAwaitExpression(node)) yield ["await", start, node.expression.getStart()];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    yield ["call", node.expression.expression.end, node.end];
  }
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isArrayLiteralExpression(node)) {
    const list = ts.isArrayLiteralExpression(node) ? node.elements : (node.arguments ?? []);
    for (const [at, item] of list.entries()) {
      const next = list[at + 1];
      const from = at > 0 && next === undefined ? (list[at - 1]?.end ?? 0) : item.getStart();
      yield ["argument", from, next?.getStart() ?? item.end];
    }
  }
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
    const after = node.getSourceFile().text.slice(node.end);
    yield ["member", start, node.end + (/^\s*,/.exec(after)?.[0].length ?? 0)];
  }
  if (ts.isParameter(node) && node.initializer) yield ["default", node.name.end, node.end];
}
