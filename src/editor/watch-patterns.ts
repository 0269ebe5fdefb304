import { ts } from "ts-morph";
import type { PatternSite, SourceText, Watched } from "../ports/editor.ts";
import { programOf } from "./enumerate.ts";
import { watchText } from "./watch-parts.ts";
import { splice, type Splice } from "./splices.ts";
import { engineFindings, parse } from "./syntax.ts";

type Found = { readonly node: ts.Node; readonly site: PatternSite };

/**
 * A program that tells which texts reach which regular expression, and can be told what to find
 * there; see `WatchOrder`. No sites where there is no such program.
 */
export function watchPatterns(source: SourceText): Watched {
  const program = programOf(source);
  const none = { program, sites: [] };
  if (program.entry === "" || program.text.includes("__hone_")) return none;
  const file = parse(program.text, "js");
  const found = sitesIn(file);
  const splices = found.flatMap(({ node }, site): Splice[] => {
    const start = node.getStart(file);
    return [
      { start, end: start, text: `__hone_regex(${site},` },
      { start: node.end, end: node.end, text: ")" },
    ];
  });
  const text = splice(program.text, splices) + watchText(program.entry);
  const ctx = program.ctxAt === undefined ? {} : { ctxAt: program.ctxAt + 1 };
  const watched = { ...program, ...ctx, text, entry: "__hone_watch" };
  if (engineFindings(watched).length > 0) return none;
  return { program: watched, sites: found.map(({ site }) => site) };
}

function sitesIn(file: ts.SourceFile): readonly Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const site = siteOf(node, file);
    if (site !== null) found.push(site);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function siteOf(node: ts.Node, file: ts.SourceFile): Found | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    const [text, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
    const start = node.getStart(file);
    return {
      node,
      site: { form: "literal", start, end: node.end, text, flags, entry: entryOf(node, file) },
    };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return null;
  const [first, second] = node.arguments ?? [];
  const isMade = ts.isIdentifier(node.expression) && node.expression.text === "RegExp";
  if (!isMade || first === undefined || !ts.isStringLiteralLike(first)) return null;
  if (second !== undefined && !ts.isStringLiteralLike(second)) return null;
  const [start, end] = [first.getStart(file), first.end];
  const flags = second?.text ?? "";
  return { node, site: { form: "string", start, end, text: first.text, flags, entry: null } };
}

function entryOf(node: ts.Node, file: ts.SourceFile): PatternSite["entry"] {
  const { parent } = node;
  if (!ts.isPropertyAssignment(parent) || parent.initializer !== node) return null;
  const { name } = parent;
  if (!ts.isIdentifier(name) && !ts.isStringLiteralLike(name)) return null;
  return { key: name.text, table: parent.parent.getStart(file), end: parent.end };
}
