import type { Case } from "../domain/case.ts";
import type { Json } from "../domain/json.ts";
import { isNeededWidening } from "../domain/widening.ts";
import type { Editor, TypeFinding } from "../ports/editor.ts";
import type { Gate } from "../ports/gate.ts";
import { gate, PASSED } from "./verdict.ts";

/**
 * Strict TypeScript finds nothing that it does not find in the parent, and the contract is unchanged;
 * but where cases give or expect what a stated type does not take, a person decides whether it becomes
 * as wide as they need.
 */
export function typesGate({ editor, now }: { editor: Editor; now: () => number }): Gate {
  return gate("types", now, async (candidate, { skill, diagnosis }, signal) => {
    const before = { text: skill.source, language: skill.language, entry: skill.signature.name };
    const after = { ...before, text: candidate.source };
    const errors = await editor.newTypeErrors(before, after, signal);
    if (errors.length === 0) return PASSED;
    const cases = [...skill.cases, diagnosis.failing.case];
    const isNeeded = errors.every((error) => isNeededBy(cases, error));
    const reason = errors.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
    if (!isNeeded) return { status: "fail", reason };
    return { status: "needs-data", reason: `${reason}, as wide as the cases need` };
  });
}

function isNeededBy(cases: readonly Case[], { changed }: TypeFinding): boolean {
  if (changed === undefined) return false;
  const { parameter, was, is } = changed;
  const values = cases.flatMap(({ args, expectation }): readonly Json[] => {
    if (parameter !== null) return parameter < args.length ? [args[parameter] ?? null] : [];
    return expectation.kind === "value" ? [expectation.value] : [];
  });
  return isNeededWidening(was, is, values);
}
