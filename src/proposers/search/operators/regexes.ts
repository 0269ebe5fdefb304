import { ts } from "ts-morph";
import { replacing, type Change } from "../change.ts";
import { neighboursOf } from "../regexes/neighbours.ts";
import { patternOf } from "../regexes/pattern.ts";
import type { Scene } from "../scene.ts";

/** Other flags and near patterns in the place of a regular expression; only those that compile. */
export function* regexes(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isRegularExpressionLiteral(node)) return;
  const written = node.getText(scene.file);
  const end = written.lastIndexOf("/");
  const pattern = patternOf(written.slice(1, end), written.slice(end + 1));
  if (pattern === null) return;
  for (const { text, flags, weight } of neighboursOf(pattern)) {
    yield replacing("regex", node, `/${text}/${flags}`, weight);
  }
}
