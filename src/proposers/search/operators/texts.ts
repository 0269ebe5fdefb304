import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import { isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown, inPlaceOf } from "../precedence.ts";
import type { Scene } from "../scene.ts";

/** What text from elsewhere usually lacks: cleaning when it is read, escaping when it is written. */
const CLEANINGS: readonly (readonly [string, number])[] = [
  ['.replace(/^\\uFEFF/, "")', 1],
  ['.replace(/\\r\\n?/g, "\\n")', 1],
  ['.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&")', 1],
  ['.replace(/[\\\\*?[\\]{}!]/g, "\\\\$&")', 0.6],
  ['.replace(/"/g, \'""\')', 0.6],
  [".replace(/\"/g, '\\\\\"')", 0.6],
  [".replace(/'/g, \"'\\\\''\")", 0.8],
  [".replace(/'/g, \"''\")", 0.4],
  ['.replace(/\\\\/g, "\\\\\\\\")', 0.4],
  ['.replace(/\\s+/g, " ")', 0.6],
  ['.replace(/\\s+/g, "")', 0.4],
  ['.replace(/\\/+$/, "")', 0.6],
  ['.replace(/^\\/+/, "")', 0.4],
  ['.replace(/,/g, "")', 0.4],
  ['.replace(/&/g, "&amp;")', 0.4],
  ['.replace(/</g, "&lt;")', 0.3],
  ['.normalize("NFC")', 0.4],
];

/** A text that is cleaned or escaped on its way. */
export function* cleanings(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isLiteralExpression(node)) return;
  if (
    !ts.isIdentifier(node) &&
    !ts.isPropertyAccessExpression(node) &&
    !ts.isElementAccessExpression(node)
  )
    return;
  const kind = scene.kindOf(node);
  if (kind !== "string" && kind !== null) return;
  for (const [text, weight] of CLEANINGS) {
    const texts = grown(node, ["", text], PRECEDENCE.member);
    yield around("clean", node, texts, weight * (kind === "string" ? 1 : 0.4));
  }
}

/** `split("\n")` to `split(/\r?\n/)`, and patterns of `replace` that are anchored or global. */
export function* separators(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const [pattern] = node.arguments;
  if (!pattern || !ts.isStringLiteral(pattern) || pattern.text === "") return;
  const { text: method } = node.expression.name;
  const source = escaped(pattern.text);
  if (method === "split") {
    if (pattern.text.includes("\n")) {
      yield replacing("separator", pattern, `/${source.replaceAll("\\n", "\\r?\\n")}/`);
      yield replacing(
        "separator",
        pattern,
        `/${source.replaceAll("\\n", "(?:\\r\\n|\\r|\\n)")}/`,
        0.6,
      );
    }
    yield replacing("separator", pattern, `/\\s*${source.trim()}\\s*/`, 0.5);
    yield replacing("separator", pattern, `/${source.trim()}(?=(?:[^"]*"[^"]*")*[^"]*$)/`, 0.4);
  }
  if (method !== "replace" && method !== "replaceAll") return;
  for (const other of [
    `/${source}$/`,
    `/^${source}/`,
    `/${source}/g`,
    `/${source}\\/?$/`,
    `/${source}/i`,
  ]) {
    yield replacing("separator", pattern, other, scene.kindOf(node) === null ? 0.5 : 0.8);
  }
}

/** Both sides of a comparison as text, as numbers, or without regard to case and blanks. */
export function* bothSides(node: ts.Node, scene: Scene): Generator<Change> {
  if (
    !ts.isBinaryExpression(node) ||
    !["===", "!==", "==", "!="].includes(node.operatorToken.getText())
  )
    return;
  const sides = [node.left, node.right];
  if (sides.some((side) => isPlain(side))) return;
  const kinds = sides.map((side) => scene.kindOf(side));
  for (const name of ["String", "Number"]) {
    const splices = sides.flatMap((side) => around("both-sides", side, [`${name}(`, ")"]).splices);
    yield {
      operator: "both-sides",
      at: node,
      splices,
      weight: kinds.includes("boolean") ? 0.2 : 1,
    };
  }
  if (kinds.some((kind) => kind !== "string" && kind !== null)) return;
  for (const call of [".toLowerCase()", ".trim()"]) {
    const splices = sides.flatMap(
      (side) => around("both-sides", side, grown(side, ["", call], PRECEDENCE.member)).splices,
    );
    yield { operator: "both-sides", at: node, splices, weight: 0.6 };
  }
}

/** `path.startsWith(folder)` only up to a whole segment. */
export function* prefixes(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const { expression: text, name } = node.expression;
  const [part] = node.arguments;
  if (!part || !["startsWith", "endsWith"].includes(name.text) || ts.isLiteralExpression(part))
    return;
  const [whole, start] = [scene.copyOf(text), scene.copyOf(part)];
  if (whole === null || start === null) return;
  for (const mark of ["/", "."]) {
    const bound = name.text === "startsWith" ? `${start} + "${mark}"` : `"${mark}" + ${start}`;
    const test = `${whole} === ${start} || ${whole}.${name.text}(${bound})`;
    yield replacing(
      "separator",
      node,
      inPlaceOf(node, test, PRECEDENCE.or),
      mark === "/" ? 0.8 : 0.4,
    );
  }
}

function isPlain(node: ts.Expression): boolean {
  const { NullKeyword, TrueKeyword, FalseKeyword } = ts.SyntaxKind;
  if (ts.isIdentifier(node)) return node.text === "undefined";
  return (
    ts.isLiteralExpression(node) ||
    ts.isTypeOfExpression(node) ||
    [NullKeyword, TrueKeyword, FalseKeyword].includes(node.kind)
  );
}

/** A text as the source of a regular expression that means it literally. */
function escaped(text: string): string {
  return text
    .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
}
