import type { Finding, Inspection, SourceText } from "../ports/editor.ts";
import { contractOf } from "./contract.ts";
import { entryOf, programWith, type Entry } from "./entry.ts";
import { unerasableFindings } from "./erasable.ts";
import { blank } from "./program.ts";
import { check } from "./project.ts";
import { remembered } from "./remembered.ts";
import { digestOf, engineFindings, parse, syntaxFindings } from "./syntax.ts";

/** What a source says about itself, or everything that is wrong with it. */
export const inspect: (source: SourceText) => Inspection = remembered(
  32,
  ({ text, language, entry }) => JSON.stringify([text, language, entry]),
  read,
);

function read(source: SourceText): Inspection {
  const file = parse(source.text, source.language);
  const syntax = syntaxFindings(file);
  const { entry, findings } = entryOf(file, source);
  const problems = [...syntax, ...unerasableFindings(file), ...findings];
  if (entry === null) return unsound(problems);
  const contract = contractIn(source, entry);
  problems.push(...contract.findings);
  const blanked = blank(file, source.language);
  if (blanked.status === "refused") {
    const { line, reason: message } = blanked;
    return unsound(problems.length > 0 ? problems : [{ line, message }]);
  }
  const program = programWith(blanked.text, file, source, entry);
  if (problems.length === 0) problems.push(...engineFindings(program));
  if (problems.length > 0) return unsound(problems);
  const { signature, inputSchema, outputSchema } = contract;
  return { status: "sound", signature, inputSchema, outputSchema, program, digest: digestOf(file) };
}

/** The types of the contract need the checker; plain JavaScript has none. */
function contractIn(source: SourceText, entry: Entry): ReturnType<typeof contractOf> {
  if (source.language === "js") return contractOf(entry, null, "js");
  const { file, checker } = check(source.text);
  const checked = entryOf(file, source).entry;
  if (checked === null) throw new Error(`the checker does not see ${entry.name}`);
  return contractOf(checked, checker, "ts");
}

function unsound(problems: readonly Finding[]): Inspection {
  const distinct = new Map(
    problems.map((finding) => [`${finding.line}:${finding.message}`, finding]),
  );
  return {
    status: "unsound",
    problems: [...distinct.values()].toSorted((a, b) => a.line - b.line),
  };
}
