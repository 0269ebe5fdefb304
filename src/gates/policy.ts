import type { Case } from "../domain/case.ts";
import type { JudgedCase } from "../domain/incident.ts";
import type { Json } from "../domain/json.ts";
import type { Editor, Shown } from "../ports/editor.ts";
import type { Gate } from "../ports/gate.ts";
import { scopeProblems } from "../domain/patch-scope.ts";
import type { Skill } from "../domain/skill.ts";
import { gate, PASSED } from "./verdict.ts";

/**
 * Static rules: what no candidate may do, whatever its tests say. Every offence is named. What an
 * honest repair has now and then leaves the candidate to a person, who hears it when all gates have
 * spoken.
 */
export function policyGate({ editor, now }: { editor: Editor; now: () => number }): Gate {
  return gate("policy", now, async (candidate, { skill, patched, diagnosis }, signal) => {
    const problems = [...scopeProblems(skill, changesOf(skill, patched)), ...newCalls(patched)];
    if (problems.length > 0) return { status: "fail", reason: problems.join("; ") };
    const before = { text: skill.source, language: skill.language, entry: skill.signature.name };
    const after = { ...before, text: candidate.source };
    const values = skill.cases.flatMap(valuesOf);
    const shown = { values, thrown: diagnosis.judged.flatMap(wronglyThrown) };
    const findings = await editor.policyFindings(before, after, shown, signal);
    if (findings.length === 0) return PASSED;
    const reason = findings.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
    const isUnsure = findings.every(({ severity }) => severity === "ask");
    return { status: isUnsure ? "needs-data" : "fail", reason };
  });
}

/** The files in which the two versions differ, by their paths; null for one that is gone. */
function changesOf(skill: Skill, patched: Skill): Record<string, string | null> {
  const files = new Set([...Object.keys(skill.files), ...Object.keys(patched.files)]);
  const changed = [...files].filter((file) => skill.files[file] !== patched.files[file]);
  return Object.fromEntries(
    changed.map((file) => [`skills/${skill.name}/${file}`, patched.files[file] ?? null]),
  );
}

function wronglyThrown({ outcome, passed }: JudgedCase): Shown["thrown"] {
  if (passed || outcome.status !== "threw") return [];
  const { name, message, frames } = outcome.error;
  return [{ name, message, line: frames[0]?.line ?? null }];
}

function valuesOf({ args, expectation }: Case): Json[] {
  return expectation.kind === "value" ? [args, expectation.value] : [args];
}

/** Skills that a machine names beyond what its manifest grants. */
function newCalls({ calls = [], manifest }: Skill): readonly string[] {
  const granted = manifest.capabilities.skills ?? [];
  const wanted = calls.filter(({ skill }) => !granted.includes(skill));
  return wanted.map(({ skill, line }) => `line ${line}: calls ${skill}, which is not granted`);
}
