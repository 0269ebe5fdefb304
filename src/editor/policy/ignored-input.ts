import { ts } from "ts-morph";
import type { Finding, SourceText } from "../../ports/editor.ts";
import { entryOf, type EntryNode } from "../entry.ts";
import { findingAt } from "../syntax.ts";

type Read = { readonly source: SourceText; readonly file: ts.SourceFile };

/** A function that looked at what it is given, and does not any more: its result is a constant. */
export function ignoredInput(before: Read, after: Read): Finding[] {
  const [was, is] = [
    entryOf(before.file, before.source).entry,
    entryOf(after.file, after.source).entry,
  ];
  if (was === null || is === null || !readsInput(was.node) || readsInput(is.node)) return [];
  return [findingAt(is.node, "constant-result: nothing that is given to the function is read")];
}

function readsInput({ parameters, body }: EntryNode): boolean {
  const names = new Set(parameters.flatMap(({ name }) => namesIn(name)));
  const reads = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && (names.has(node.text) || node.text === "arguments")) ||
    ts.forEachChild(node, (child) => reads(child) || undefined) === true;
  return body !== undefined && reads(body);
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? namesIn(element.name) : [],
  );
}
