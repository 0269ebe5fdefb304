import { ts } from "ts-morph";
import { replacing, type Change } from "../change.ts";
import type { Idiom } from "../idioms/idiom.ts";
import { IDIOMS } from "../idioms/table.ts";
import { match, type Bindings } from "../idioms/match.ts";
import { render, templateOf, type Template } from "../idioms/render.ts";
import { isValue } from "../places.ts";
import { inPlaceOf, precedenceOf } from "../precedence.ts";
import type { Scene } from "../scene.ts";

type Rule = Omit<Idiom, "from" | "to"> & {
  readonly from: Template;
  readonly to: readonly Template[];
};

/** By the kind of the root, so that few patterns are tried at a node. */
const RULES: ReadonlyMap<ts.SyntaxKind, readonly Rule[]> = Map.groupBy(
  IDIOMS.map(({ from, to, ...rest }) => ({
    ...rest,
    from: templateOf(from),
    to: to.map(templateOf),
  })),
  ({ from }) => from.root.kind,
);

/** A later meaning of one pitfall counts for less than the one before it. */
const NEXT = 0.7;

/** How much less where a hole's kind is not known. */
const UNKNOWN = 0.4;

/** Known pitfalls, each to what is often meant. */
export function* idioms(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isStatement(node) && !isValue(node) && !ts.isExpressionStatement(node.parent)) return;
  for (const { from, to, kinds = {}, weight = 1 } of RULES.get(node.kind) ?? []) {
    const bindings = match(from.root, node, scene.file);
    const fits = bindings === null ? 0 : fitOf(kinds, bindings, scene);
    if (bindings === null || fits === 0) continue;
    for (const [at, template] of to.entries()) {
      const text = render(template, bindings, (bound) => scene.copyOf(bound));
      if (text !== null) {
        yield replacing("idiom", node, placed(node, text, template), weight * fits * NEXT ** at);
      }
    }
  }
}

function placed(node: ts.Node, text: string, { root }: Template): string {
  if (!ts.isExpression(node)) return text;
  return inPlaceOf(node, text, precedenceOf(root));
}

/** How well what fills the holes is what the idiom is about, in [0,1]. */
function fitOf(kinds: NonNullable<Idiom["kinds"]>, bindings: Bindings, scene: Scene): number {
  let fit = 1;
  for (const [hole, wanted] of Object.entries(kinds)) {
    const bound = bindings.get(hole);
    const kind = bound ? scene.kindOf(bound) : null;
    if (kind !== null && kind !== wanted) return 0;
    if (kind === null) fit *= UNKNOWN;
  }
  return fit;
}
