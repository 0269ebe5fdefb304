import type { JudgedCase } from "../../../domain/incident.ts";
import type { Json } from "../../../domain/json.ts";
import type { Mutation, PatternRow, PatternSite, PatternVariant } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import { OPERATORS } from "../operator-table.ts";
import { kindOf, charsOf } from "./generalise.ts";
import { synthesise, type SynthesisPorts } from "./synthesis.ts";

/** Entries that make a table, and siblings that a new entry is made after. */
const LEAST_ENTRIES = 3;
const MOST_SIBLINGS = 3;

/** How likely a table that misses an entry is, beside a faulty expression. */
const MISSING = 0.5;

type Entry = PatternSite & { readonly entry: NonNullable<PatternSite["entry"]> };
type Gap = {
  readonly key: string;
  readonly siblings: readonly Entry[];
  readonly rows: readonly { readonly text: string; readonly wants: boolean }[];
};

/**
 * New entries of a table of regular expressions, where every failing case names one that is not
 * there: made after its siblings, and changed so that the texts beside the name come out right.
 */
export async function* missingEntries(
  sites: readonly PatternSite[],
  request: ProposalRequest,
  ports: SynthesisPorts,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const gap = gapIn(sites, request.diagnosis.judged);
  if (gap === null) return;
  const texts = gap.rows.map(({ text }) => text);
  const found = await ports.matcher.matches(gap.siblings, { texts, name: "" }, signal);
  const asked = gap.siblings.map((sibling, at) => {
    const rows = gap.rows.map((row, position): PatternRow => {
      return { ...row, matches: typeof found[at]?.[position] === "string" };
    });
    const right = rows.filter(({ wants, matches }) => wants === matches).length;
    return { sibling, rows, right, likeness: likeness(gap.key, sibling.entry.key) };
  });
  const best = asked.toSorted((a, b) => b.right - a.right || b.likeness - a.likeness);
  for (const { sibling, rows, right } of best.slice(0, MOST_SIBLINGS)) {
    if (ports.isOver()) return;
    const own = { text: sibling.text, flags: sibling.flags, weight: 1, kinds: [] };
    const made = right === rows.length ? [own] : await synthesise(sibling, rows, ports, signal);
    yield made.map((one) => entryMutation(request, gap.key, sibling, one));
  }
}

/** The name that every failing case has and a table lacks; null without one. */
function gapIn(sites: readonly PatternSite[], judged: readonly JudgedCase[]): Gap | null {
  const entries = sites.filter((site): site is Entry => site.entry !== null);
  const failing = judged.filter(({ passed }) => !passed);
  for (const siblings of Map.groupBy(entries, ({ entry }) => entry.table).values()) {
    if (siblings.length < LEAST_ENTRIES) continue;
    const keys = new Set(siblings.map(({ entry }) => entry.key));
    const shapes = new Set([...keys].map(shapeOf));
    const named = (one: JudgedCase): string[] =>
      one.case.args.flatMap(namesIn).filter((name) => !keys.has(name) && shapes.has(shapeOf(name)));
    const [first, ...rest] = failing.map(named);
    const key = first?.find((name) => rest.every((names) => names.includes(name)));
    if (key === undefined) continue;
    const rows = judged.flatMap((one) => rowOf(one, key));
    if (rows.some(({ wants }) => wants)) return { key, siblings, rows };
  }
  return null;
}

function namesIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap((one) => (typeof one === "string" ? [one] : [])) : [];
}

/** The text that a case puts beside a name, and whether it should match. */
function rowOf({ case: of }: JudgedCase, key: string): Gap["rows"] {
  const { args, expectation } = of;
  if (!args.some((value) => namesIn(value).includes(key))) return [];
  const text = args.find((value) => typeof value === "string" && value !== key);
  if (typeof text !== "string" || expectation.kind !== "value") return [];
  return typeof expectation.value === "boolean" ? [{ text, wants: expectation.value }] : [];
}

function shapeOf(name: string): string {
  return charsOf(name)
    .map((char) => {
      const { name: kind } = kindOf(char);
      return kind === "mark" || kind === "other" ? char : kind;
    })
    .join(" ");
}

/** How much two names begin and end alike. */
function likeness(one: string, other: string): number {
  const alike = charsOf(one).filter((char, at) => char === other[at]).length;
  return alike / Math.max(one.length, other.length);
}

// oxlint-disable-next-line max-params
function entryMutation(
  { skill: { program } }: ProposalRequest,
  key: string,
  { entry }: Entry,
  { text, flags, weight }: PatternVariant,
): Mutation {
  const { end } = entry;
  const added = `, ${JSON.stringify(key)}: /${text}/${flags}`;
  return {
    edits: [{ op: "splice", start: end, end, text: added }],
    operator: "regex",
    prior: Math.min(1, OPERATORS.regex.prior * MISSING * weight),
    program: { ...program, text: program.text.slice(0, end) + added + program.text.slice(end) },
  };
}
