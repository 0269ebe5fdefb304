import { ts } from "ts-morph";
import type { Change } from "../change.ts";
import type { OperatorName } from "../operator-table.ts";
import { functionAround } from "../places.ts";
import type { Scene } from "../scene.ts";

/** What a missing argument is taken for, by what its parameter holds. */
const EMPTY: Readonly<Record<string, string>> = { object: "{}", array: "[]", string: '""' };

/** What is done to a text before it is looked at; most forgotten first. */
const CLEANINGS = [
  [".trim()", 0.6],
  [".toLowerCase()", 0.5],
  [".toUpperCase()", 0.4],
  ['.replace(/\\s+/g, "")', 0.4],
  ['.replace(/[\\s-]+/g, "")', 0.4],
  ['.replace(/[^0-9A-Za-z]/g, "")', 0.2],
] as const;

/**
 * What a function does to its arguments before it looks at them: a default that holds for `null` as
 * well, an empty value for one that is missing, a text that is cleaned once for all that follows.
 */
export function* preparations(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isStatement(node) || !ts.isBlock(node.parent)) return;
  const around = functionAround(node);
  if (around?.body !== node.parent || node.parent.statements[0] !== node) return;
  for (const { name, initializer, dotDotDotToken } of around.parameters) {
    if (!ts.isIdentifier(name) || name.text === "ctx" || dotDotDotToken) continue;
    yield* defaultsOf(node, name.text, initializer, scene);
    const kind = scene.kindOfName(name.text);
    if (kind !== "string" && kind !== null) continue;
    for (const [cleaning, weight] of CLEANINGS) {
      const text = `${name.text} = ${name.text}${cleaning};`;
      yield before(node, text, kind === null ? weight / 3 : weight, "clean");
    }
  }
}

// oxlint-disable-next-line max-params
function* defaultsOf(
  node: ts.Node,
  name: string,
  initializer: ts.Expression | undefined,
  scene: Scene,
): Generator<Change> {
  const given = initializer === undefined ? null : scene.copyOf(initializer);
  if (given !== null) {
    yield before(node, `${name} ??= ${given};`, 1, "fallback");
    yield before(node, `${name} ||= ${given};`, 0.5, "fallback");
    return;
  }
  const kind = scene.kindOfName(name);
  const empty = kind === null ? undefined : EMPTY[kind];
  if (empty !== undefined) yield before(node, `${name} ??= ${empty};`, 0.6, "fallback");
}

// oxlint-disable-next-line max-params
function before(node: ts.Node, text: string, weight: number, operator: OperatorName): Change {
  const start = node.getStart();
  const splice = { op: "splice", start, end: start, text: `${text} ` } as const;
  return { operator, at: node, weight, splices: [splice] };
}
