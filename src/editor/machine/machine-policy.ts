import type { PolicyFinding, Shown, SourceText } from "../../ports/editor.ts";
import { forbiddenComments } from "../policy/comments.ts";
import { hiddenText } from "../policy/hidden-text.ts";
import { learntCases } from "../policy/learnt-cases.ts";
import { sizeFindings } from "../policy/size.ts";
import { parse } from "../syntax.ts";
import { beyond } from "../types.ts";

/**
 * The static rules that mean something for data: texts that people read otherwise than the engine,
 * comments that speak to a compiler, answers learnt by heart, and size. What the others forbid is
 * code, which a machine has none of.
 */
export function machinePolicy(
  before: SourceText,
  after: SourceText,
  { values }: Shown,
): readonly PolicyFinding[] {
  const was = parse(before.text, before.language);
  const is = parse(after.text, after.language);
  return [
    ...beyond(hiddenText(was), hiddenText(is)),
    ...beyond(forbiddenComments(was), forbiddenComments(is)),
    ...learntCases(was, is, values),
    ...sizeFindings(before.text, after.text),
  ];
}
