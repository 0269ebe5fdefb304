import { ts } from "ts-morph";
import type { Finding, SourceText, TypeFinding } from "../ports/editor.ts";
import { contractChanges } from "./contract-changes.ts";
import { inspect } from "./inspect.ts";
import { typeDiagnostics } from "./project.ts";
import { remembered } from "./remembered.ts";

/**
 * Type errors of `after` that `before` does not have, by their wording: a patch may move a line.
 * Plain JavaScript has syntax alone. A contract that `before` states and `after` changes is one.
 */
export function newTypeErrors(before: SourceText, after: SourceText): readonly TypeFinding[] {
  const [was, is] = [inspect(before), inspect(after)];
  if (is.status === "unsound")
    return beyond(was.status === "unsound" ? was.problems : [], is.problems);
  if (after.language === "js") return [];
  const changes =
    was.status === "sound"
      ? contractChanges({ source: before, inspection: was }, { source: after, inspection: is })
      : [];
  return [
    ...beyond(errorsOf(before.text), errorsOf(after.text)),
    ...changes.map(({ message, ...changed }) => {
      return { line: 1, message: `the contract changed: ${message}`, ...changed };
    }),
  ];
}

/** Findings of the second list that the first does not have, counted: two are more than one. */
export function beyond<T extends Finding>(before: readonly Finding[], after: readonly T[]): T[] {
  const known = new Map<string, number>();
  for (const { message } of before) known.set(message, (known.get(message) ?? 0) + 1);
  return after.filter(({ message }) => {
    const left = known.get(message) ?? 0;
    known.set(message, left - 1);
    return left <= 0;
  });
}

const errorsOf = remembered(
  32,
  (text: string) => text,
  (text): readonly Finding[] => typeDiagnostics(text).map(findingOf),
);

function findingOf({ file, start, messageText }: ts.Diagnostic): Finding {
  const line = file === undefined ? 1 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
  return { line, message: ts.flattenDiagnosticMessageText(messageText, " ") };
}
