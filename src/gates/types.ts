import type { Editor } from "../ports/editor.ts";
import type { Gate } from "../ports/gate.ts";
import { gate, PASSED } from "./verdict.ts";

/** Strict TypeScript finds nothing that it does not find in the parent; the contract is unchanged. */
export function typesGate({ editor, now }: { editor: Editor; now: () => number }): Gate {
  return gate("types", now, async (candidate, { skill }, signal) => {
    const before = { text: skill.source, language: skill.language, entry: skill.signature.name };
    const after = { ...before, text: candidate.source };
    const errors = await editor.newTypeErrors(before, after, signal);
    if (errors.length === 0) return PASSED;
    const reason = errors.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
    return { status: "fail", reason };
  });
}
