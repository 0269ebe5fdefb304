import { spliceBetween } from "../domain/splice-between.ts";
import type { SourceText, SyntaxRepair } from "../ports/editor.ts";
import { parsableTexts, type ParsableText } from "../proposers/search/syntax/least-cost.ts";
import { firstFault } from "./first-fault.ts";
import { inspect } from "./inspect.ts";

/** Texts that are read as skills, for each that is asked for. */
const READ_FOR_ONE = 3;

/** A text with so many characters is not searched: each look at it costs too much. */
const LONGEST = 60_000;

/** Sound sources that token edits make of one that cannot be read, the likeliest first. */
export function syntaxRepairs(source: SourceText, limit: number): readonly SyntaxRepair[] {
  if (source.text.length > LONGEST) return [];
  const faultOf = (text: string): ReturnType<typeof firstFault> => firstFault({ ...source, text });
  const repairs: SyntaxRepair[] = [];
  for (const made of parsableTexts(source, faultOf, limit * READ_FOR_ONE)) {
    const repair = repairOf(source, made);
    if (repair !== null) repairs.push(repair);
    if (repairs.length >= limit) break;
  }
  return repairs;
}

/** Null where what parses is no skill. */
function repairOf(source: SourceText, { text, says, cost }: ParsableText): SyntaxRepair | null {
  const inspection = inspect({ ...source, text });
  if (inspection.status === "unsound") return null;
  const splice = spliceBetween(source.text, text);
  const line = source.text.slice(0, splice.start).split("\n").length;
  const { program } = inspection;
  return { edits: [{ op: "splice", ...splice }], text, line, says: says.join("; "), cost, program };
}
