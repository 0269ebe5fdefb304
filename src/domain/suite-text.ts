import { lineOf, type Case } from "./case.ts";
import { isJsonObject, sameJson, type Json } from "./json.ts";

/**
 * The text of cases.jsonl once a suite has grown: new cases are further lines, and a case for which
 * something was recorded has it in its line. Every other byte stays as it was.
 *
 * @param cases what `before` holds, in its order
 * @param suite the same cases as they are to be, by their names, and new ones
 */
export function grownSuite(before: string, cases: readonly Case[], suite: readonly Case[]): string {
  const wanted = new Map(suite.map((of) => [of.name, of] as const));
  const known = cases.values();
  const lines = before.split("\n").map((line) => {
    if (line.trim() === "") return line;
    const of = known.next().value;
    const grown = of === undefined ? undefined : wanted.get(of.name);
    return of === undefined || grown === undefined ? line : grownLine(line, of, grown);
  });
  const text = lines.join("\n");
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  const names = new Set(cases.map(({ name }) => name));
  const added = suite.filter(({ name }) => !names.has(name)).map((of) => `${lineOf(of)}\n`);
  return added.length === 0 ? text : `${text}${end}${added.join("")}`;
}

/** The line with the recorded answers of the grown case; its other members as they are written. */
function grownLine(line: string, of: Case, grown: Case): string {
  const { fetch = [] } = grown.world;
  if (sameJson(of.world.fetch ?? [], fetch)) return line;
  const written = JSON.parse(line) as Json;
  if (!isJsonObject(written)) throw new Error("a line that is a case is an object");
  const world = isJsonObject(written["capabilities"]) ? written["capabilities"] : {};
  const text = JSON.stringify({ ...written, capabilities: { ...world, fetch } });
  return line.endsWith("\r") ? `${text}\r` : text;
}
