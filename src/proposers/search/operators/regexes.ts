import { ts } from "ts-morph";
import { replacing, type Change } from "../change.ts";
import { patternVariants } from "../patterns.ts";
import { patternOf } from "../regexes/pattern.ts";
import type { Scene } from "../scene.ts";

const FLAGS: readonly (readonly [string, number])[] = [
  ["g", 1],
  ["i", 1],
  ["m", 0.6],
  ["s", 0.6],
  ["u", 0.5],
  ["y", 0.1],
];

/** Other flags and near patterns in the place of a regular expression; only those that compile. */
export function* regexes(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isRegularExpressionLiteral(node)) return;
  const text = node.getText(scene.file);
  const end = text.lastIndexOf("/");
  const [pattern, flags] = [text.slice(1, end), text.slice(end + 1)];
  for (const [flag, weight] of FLAGS) {
    const other = flags.includes(flag) ? flags.replace(flag, "") : flags + flag;
    if (patternOf(pattern, other) !== null)
      yield replacing("regex", node, `/${pattern}/${other}`, weight);
  }
  for (const { pattern: other, weight } of patternVariants(pattern)) {
    if (patternOf(other, flags) !== null) {
      yield replacing("regex", node, `/${other}/${flags}`, weight);
    }
  }
}
