import type { Editor, PatternRow, PatternText, PatternVariant } from "../../../ports/editor.ts";
import type { Matcher, Matches } from "./matching.ts";

/** Patterns that are gone on from, and changes of one pattern that may follow one another. */
const WIDTH = 8;
const DEPTH = 3;

/** How likely it is that one change is not enough. */
const FURTHER = 0.3;

/** Patterns that satisfy all rows, at most. */
const MOST = 200;

export type SynthesisPorts = {
  readonly editor: Pick<Editor, "patternHoles" | "patternChanges">;
  readonly matcher: Matcher;
  readonly isOver: () => boolean;
};

type Partial = PatternVariant & { readonly right: number; readonly rows: readonly PatternRow[] };

/** What hardly any pattern is meant to match that did not, and how likely one is that does now. */
const NOISE = ["", " ", "x", "0", "~", "?!?!", "x~0".repeat(12)];
const NOISY = 0.1;

/** The name of the group in a hole. */
const HOLE = "hone_";

/**
 * Patterns near a given one that match as all rows want, the likeliest first: a beam over changes
 * that lose no row and gain some (partial progress, as in FlashRegex: Li et al., ASE 2020, and
 * AlphaRegex: Lee, So, Oh, GPCE 2016, which prune by what examples rule out). Two changes are held
 * against single ones, three are tried where neither does.
 */
export async function synthesise(
  pattern: PatternText,
  rows: readonly PatternRow[],
  ports: SynthesisPorts,
  signal: AbortSignal,
): Promise<readonly PatternVariant[]> {
  let beam: readonly Partial[] = [{ ...pattern, weight: 1, kinds: [], right: rightIn(rows), rows }];
  const seen = new Set<string>([keyOf(pattern)]);
  const whole: Partial[] = [];
  for (let depth = 1; depth <= DEPTH && beam.length > 0 && !ports.isOver(); depth += 1) {
    const next = await changesOf(beam, { seen, ports, signal });
    whole.push(...next.filter(({ right }) => right === rows.length));
    if (depth > 1 && whole.length > 0) break;
    beam = byProgress(next.filter(({ right }) => right < rows.length)).slice(0, WIDTH);
  }
  return byWeight(whole).slice(0, MOST);
}

function rightIn(rows: readonly PatternRow[]): number {
  return rows.filter(({ wants, matches }) => wants === matches).length;
}

type Search = {
  readonly seen: Set<string>;
  readonly ports: SynthesisPorts;
  readonly signal: AbortSignal;
};

/** Changes of some patterns after which more rows are right, and none is lost. */
async function changesOf(beam: readonly Partial[], search: Search): Promise<readonly Partial[]> {
  const found: Partial[] = [];
  for (const parent of beam) {
    if (search.ports.isOver()) break;
    found.push(...(await changesOfOne(parent, search)));
  }
  return found;
}

async function changesOfOne(
  parent: Partial,
  { seen, ports: { editor, matcher }, signal }: Search,
): Promise<readonly Partial[]> {
  const { text, flags, rows } = parent;
  const texts = rows.map((row) => row.text);
  const [holes = []] = await editor.patternHoles([{ text, flags }], signal);
  const captures = await matcher.matches(holes, { texts, name: HOLE }, signal);
  const [changes = []] = await editor.patternChanges([{ text, flags, rows, captures }], signal);
  const fresh = changes.filter((one) => !seen.has(keyOf(one)));
  for (const one of fresh) seen.add(keyOf(one));
  const [own = [], ...matched] = await matcher.matches(
    [parent, ...fresh],
    { texts: [...texts, ...NOISE], name: "" },
    signal,
  );
  const isNoisy = (matches: Matches): boolean =>
    matches.some((match, at) => at >= rows.length && match !== null && own[at] === null);
  return fresh.flatMap((one, at) => {
    const matches = matched[at] ?? [];
    const weight = one.weight * (isNoisy(matches) ? NOISY : 1);
    return progressed(parent, { ...one, weight }, matches);
  });
}

function progressed(parent: Partial, one: PatternVariant, found: Matches = []): Partial[] {
  const rows = parent.rows.map((row, at) => ({ ...row, matches: typeof found[at] === "string" }));
  const isLost = rows.some(({ wants, matches }, at) => {
    const before = parent.rows[at];
    return wants !== matches && before?.wants === before?.matches;
  });
  const right = rightIn(rows);
  if (isLost || right <= parent.right) return [];
  return [
    {
      ...one,
      weight: one.weight * (parent.kinds.length === 0 ? 1 : FURTHER * parent.weight),
      kinds: [...parent.kinds, ...one.kinds],
      right,
      rows,
    },
  ];
}

function byWeight(found: readonly Partial[]): readonly Partial[] {
  return found.toSorted((a, b) => b.weight - a.weight);
}

function byProgress(found: readonly Partial[]): readonly Partial[] {
  return found.toSorted((a, b) => b.right - a.right || b.weight - a.weight);
}

function keyOf({ text, flags }: PatternText): string {
  return `/${text}/${flags}`;
}
