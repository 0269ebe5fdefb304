import type { Case } from "../domain/case.ts";
import type { Json } from "../domain/json.ts";
import type { Editor } from "../ports/editor.ts";
import type { Gate } from "../ports/gate.ts";
import { fileOf } from "../domain/skill.ts";
import { gate, PASSED } from "./verdict.ts";

/** Static rules: what no candidate may do, whatever its tests say. Every offence is named. */
export function policyGate({ editor, now }: { editor: Editor; now: () => number }): Gate {
  return gate("policy", now, async (candidate, { skill, patched }, signal) => {
    const strange = Object.keys(patched.files).filter(
      (file) => file !== fileOf(skill) && patched.files[file] !== skill.files[file],
    );
    if (strange.length > 0) return { status: "fail", reason: `touches ${strange.join(", ")}` };
    const before = { text: skill.source, language: skill.language, entry: skill.signature.name };
    const after = { ...before, text: candidate.source };
    const visible = skill.cases.flatMap(valuesOf);
    const findings = await editor.policyFindings(before, after, visible, signal);
    if (findings.length === 0) return PASSED;
    const reason = findings.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
    return { status: "fail", reason };
  });
}

function valuesOf({ args, expectation }: Case): Json[] {
  return expectation.kind === "value" ? [args, expectation.value] : [args];
}
