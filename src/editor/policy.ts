import type { Json } from "../domain/json.ts";
import type { Finding, SourceText } from "../ports/editor.ts";
import { forbiddenComments } from "./policy/comments.ts";
import { forbiddenConstructs } from "./policy/constructs.ts";
import { removedChecks } from "./policy/removed-checks.ts";
import { sizeFindings } from "./policy/size.ts";
import { specialCases } from "./policy/special-cases.ts";
import { globalWrites } from "./policy/writes.ts";
import { parse } from "./syntax.ts";
import { beyond } from "./types.ts";

/**
 * What `after` does that no candidate may do, as far as `before` does not already: code from text,
 * reaching out of the skill, writes to what all code shares, muted compilers, checks taken away,
 * answers learnt by heart, size. The sandbox holds without it; this keeps the history clean.
 */
export function policyFindings(
  before: SourceText,
  after: SourceText,
  visible: readonly Json[],
): readonly Finding[] {
  const was = parse(before.text, before.language);
  const is = parse(after.text, after.language);
  const findings = [
    ...beyond(forbiddenConstructs(was), forbiddenConstructs(is)),
    ...beyond(globalWrites(was), globalWrites(is)),
    ...beyond(forbiddenComments(was), forbiddenComments(is)),
    ...removedChecks(was, is),
    ...specialCases(was, is, visible),
    ...sizeFindings(before.text, after.text),
  ];
  return findings.toSorted((a, b) => a.line - b.line);
}
