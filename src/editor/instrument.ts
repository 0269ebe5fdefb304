import { ts } from "ts-morph";
import type { Program } from "../domain/skill.ts";
import type { Instrumented, Site, SourceText } from "../ports/editor.ts";
import { entryOf, programWith } from "./entry.ts";
import { blank } from "./program.ts";
import { isCounted, statementsIn, isLooseBody } from "./sites.ts";
import { engineFindings, lineOf, parse } from "./syntax.ts";

type Insertion = { readonly at: number; readonly text: string };

type Counting = {
  readonly file: ts.SourceFile;
  readonly sites: Site[];
  /** Texts that open, outer before inner; texts that close, inner before outer. */
  readonly openings: Insertion[];
  readonly closings: Insertion[];
};

/**
 * A program that calls `__hone_hit(n)` for each place that it passes, and otherwise does what the
 * source does. A source that does not parse has no sites.
 */
export function instrument(source: SourceText): Instrumented {
  const program = programOf(source);
  if (program === null || engineFindings(program).length > 0) {
    const asItIs = { text: source.text, entry: source.entry ?? "", strict: false, takesCtx: false };
    return { program: program ?? asItIs, sites: [] };
  }
  const file = parse(program.text, "js");
  const counting: Counting = { file, sites: [], openings: [], closings: [] };
  count(file, counting);
  return { program: { ...program, text: counted(counting) }, sites: counting.sites };
}

function programOf(source: SourceText): Program | null {
  const file = parse(source.text, source.language);
  const { entry } = entryOf(file, source);
  const blanked = blank(file, source.language);
  if (entry === null || blanked.status === "refused") return null;
  return programWith(blanked.text, file, source, entry);
}

function count(node: ts.Node, counting: Counting): void {
  const { openings, closings } = counting;
  for (const statement of statementsIn(node)) {
    openings.push({ at: statement.getStart(counting.file), text: hit(statement, counting) });
  }
  if (isLooseBody(node)) {
    openings.push({ at: node.getStart(counting.file), text: `{${hit(node, counting)}` });
  } else if (isCounted(node)) {
    const call = hit(node, counting).slice(0, -1);
    openings.push({ at: node.getStart(counting.file), text: `(${call},` });
  }
  ts.forEachChild(node, (child) => count(child, counting));
  if (isLooseBody(node)) closings.push({ at: node.end, text: "}" });
  else if (isCounted(node)) closings.push({ at: node.end, text: ")" });
}

function hit(node: ts.Node, { file, sites }: Counting): string {
  const start = node.getStart(file);
  sites.push({ start, end: node.end, line: lineOf(file, start) });
  return `__hone_hit(${sites.length - 1});`;
}

/** At one place, what closes comes before what opens. */
function counted({ file, openings, closings }: Counting): string {
  const insertions = [...closings, ...openings].toSorted((a, b) => a.at - b.at);
  let text = "";
  let from = 0;
  for (const { at, text: inserted } of insertions) {
    text += file.text.slice(from, at) + inserted;
    from = at;
  }
  return text + file.text.slice(from);
}
