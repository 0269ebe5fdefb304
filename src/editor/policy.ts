import type { PolicyFinding, Shown, SourceText } from "../ports/editor.ts";
import { bombs } from "./policy/bombs.ts";
import { callCounts } from "./policy/call-counts.ts";
import { forbiddenComments } from "./policy/comments.ts";
import { forbiddenConstructs } from "./policy/constructs.ts";
import { hiddenText } from "./policy/hidden-text.ts";
import { ignoredInput } from "./policy/ignored-input.ts";
import { environmentProbes } from "./policy/probing.ts";
import { brought } from "./policy/noted.ts";
import { learntCases } from "./policy/learnt-cases.ts";
import { removedChecks } from "./policy/removed-checks.ts";
import { sizeFindings } from "./policy/size.ts";
import { specialCases } from "./policy/special-cases.ts";
import { functionNames, swallowedErrors } from "./policy/swallowed-errors.ts";
import { globalWrites } from "./policy/writes.ts";
import { parse } from "./syntax.ts";
import { beyond } from "./types.ts";

/** What each looks for is held against a patch as far as it is there more often than before. */
const RULES = [
  forbiddenConstructs,
  globalWrites,
  forbiddenComments,
  hiddenText,
  environmentProbes,
  callCounts,
];

/**
 * What `after` does that no candidate may do, as far as `before` does not already: code from text,
 * reaching out of the skill, writes to what all code shares, muted compilers, and what a repair does
 * that only wants to look like one: checks taken away, errors swallowed, answers learnt by heart,
 * branches on the day, the number of calls or the place. What honest repairs do too now and then
 * asks instead of refusing. The sandbox holds without it; this keeps the history clean.
 */
export function policyFindings(
  before: SourceText,
  after: SourceText,
  { values, thrown }: Shown,
): readonly PolicyFinding[] {
  const was = parse(before.text, before.language);
  const is = parse(after.text, after.language);
  const known = functionNames(was);
  const findings: readonly PolicyFinding[] = [
    ...RULES.flatMap((rule) => beyond(rule(was), rule(is))),
    ...brought(swallowedErrors(was, before, known), swallowedErrors(is, after, known)),
    ...bombs(was, is),
    ...removedChecks(was, is, thrown),
    ...ignoredInput({ source: before, file: was }, { source: after, file: is }),
    ...specialCases(was, is, values),
    ...learntCases(was, is, values),
    ...sizeFindings(before.text, after.text),
  ];
  return findings.toSorted((a, b) => a.line - b.line);
}
