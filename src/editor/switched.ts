import type { Place } from "./variant-places.ts";
import type { Placed } from "./wrapping.ts";

/** A place of the program with the change, by its position, that puts something else there. */
export type Chosen = { readonly place: Place; readonly change: number };

type Site = {
  readonly kind: Place["kind"];
  readonly start: number;
  readonly end: number;
  readonly options: { readonly change: number; readonly text: string }[];
};

export type Switched = {
  readonly placed: readonly Placed[];
  /** The variant of each change, from 1; 0 is the program as it is. */
  readonly ids: ReadonlyMap<number, number>;
  /** Changes whose places cross others': they need programs of their own. */
  readonly left: ReadonlySet<number>;
};

/** Switches for all places. Those of one place get consecutive numbers: one test passes them by. */
export function switched(chosen: readonly Chosen[]): Switched {
  const { sites, left } = sitesOf(chosen);
  const ids = new Map<number, number>();
  for (const { options } of sites) {
    for (const { change } of options) if (!ids.has(change)) ids.set(change, ids.size + 1);
  }
  return { placed: sites.map((site) => placedOf(site, ids)), ids, left };
}

/** Ranges that nest, the outer ones first; of two that cross, the later gives way. */
function sitesOf(chosen: readonly Chosen[]): {
  readonly sites: readonly Site[];
  readonly left: ReadonlySet<number>;
} {
  const sites = new Map<string, Site>();
  const left = new Set<number>();
  for (const { place, change } of chosen) {
    const { kind, start, end, text } = place;
    const key = `${kind}:${start}:${end}`;
    const known = sites.get(key);
    const site = known ?? { kind, start, end, options: [] };
    const crosses = known === undefined && sites.values().some((other) => cross(site, other));
    if (crosses) {
      left.add(change);
      continue;
    }
    sites.set(key, site);
    site.options.push({ change, text });
  }
  const kept = [...sites.values()].map((site) => ({
    ...site,
    options: site.options.filter(({ change }) => !left.has(change)),
  }));
  return {
    sites: kept
      .filter(({ options }) => options.length > 0)
      .toSorted((a, b) => a.start - b.start || b.end - a.end),
    left,
  };
}

function cross(a: Site, b: Site): boolean {
  return (
    (a.start < b.start && b.start < a.end && a.end < b.end) ||
    (b.start < a.start && a.start < b.end && b.end < a.end)
  );
}

function placedOf({ kind, start, end, options }: Site, ids: ReadonlyMap<number, number>): Placed {
  const numbered = options
    .map(({ change, text }) => ({ id: ids.get(change) as number, text }))
    .toSorted((a, b) => a.id - b.id);
  const isExpression = kind === "expression";
  const choose = isExpression ? expressionOf : statementsOf;
  // A change of several places may have its number from another one.
  const cut = numbered.findLastIndex(({ id }, at) => id !== (numbered[at - 1]?.id ?? id - 1) + 1);
  const alone = numbered.slice(0, Math.max(0, cut));
  const row = numbered.slice(Math.max(0, cut));
  const opens = alone.map(({ id, text }) => choose(`__hone_variant===${id}`, text));
  const [low, high] = [row[0]?.id, row.at(-1)?.id];
  const test = low === high ? `__hone_variant===${low}` : within(low, high);
  opens.push(choose(test, tree(row, isExpression)));
  const open = opens.join("");
  if (!isExpression) return { start, end, rank: 0, open: `{${open}{`, close: "}}" };
  return { start, end, rank: 1, open: `(${open}`, close: ")" };
}

function within(low: number | undefined, high: number | undefined): string {
  return `__hone_variant>=${low}&&__hone_variant<=${high}`;
}

function expressionOf(test: string, text: string): string {
  return `${test}?(${text}\n):`;
}

function statementsOf(test: string, text: string): string {
  return `if(${test}){${text}\n}else `;
}

/** Halves the row: a variant deep in it costs the logarithm. */
function tree(
  row: readonly { readonly id: number; readonly text: string }[],
  isExpression: boolean,
): string {
  const [first] = row;
  if (row.length <= 1) return first?.text ?? "";
  const half = row.length >> 1;
  const test = `__hone_variant<${row[half]?.id}`;
  const [low, high] = [tree(row.slice(0, half), isExpression), tree(row.slice(half), isExpression)];
  return isExpression ? `${test}?(${low}\n):(${high}\n)` : `if(${test}){${low}\n}else{${high}\n}`;
}
