import type { Case } from "../../../domain/case.ts";
import type { JudgedCase, Suspicion } from "../../../domain/incident.ts";
import type { Json } from "../../../domain/json.ts";
import { localise } from "../../../domain/localise.ts";
import { isEndless } from "../../../domain/trace.ts";
import { examine, type ExaminePorts } from "../../../examine/examine.ts";
import type { PatternRow, PatternSite, Watched } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import { limitsOf } from "../trial.ts";

/** What some failing cases ask of one regular expression. */
type Demand = {
  readonly site: PatternSite;
  /** Texts that reached it, with what they should find there. */
  readonly rows: readonly PatternRow[];
  /** Failing cases that come out right once these rows do. */
  readonly decides: number;
};

/** What was seen of the regular expressions of a program. */
export type Sighting = {
  /** Those that decide failing cases, the most first. */
  readonly demands: readonly Demand[];
  /** Every one of them as a place, wherever it is made: as suspicious as what reaches it; none where that is not known. */
  readonly places: readonly Suspicion[];
  readonly sites: readonly PatternSite[];
};

type Match = {
  readonly site: number;
  readonly text: string;
  readonly from: number;
  readonly matched: boolean;
};
type Order = { readonly site: number; readonly turn: number; readonly matches: boolean };

/** Sites of one failing case that are asked about, and matches of one site. */
const MOST_SITES = 12;
const MOST_TURNS = 6;

const TELL = { tells: true, site: -1, turn: -1, matches: false };

/**
 * Finds out by trial which regular expressions decide the failing cases: where the opposite of what
 * one found would make a case pass, that is what it should find (angelic values: Chandra, Torlak,
 * Barman, Bodik, "Angelic debugging", ICSE 2011). Passing cases tell what it should go on finding.
 */
export async function demandsOf(
  { program, sites }: Watched,
  request: ProposalRequest,
  ports: Omit<ExaminePorts, "unrecorded">,
  signal: AbortSignal,
): Promise<Sighting> {
  const { judged } = request.diagnosis;
  const limits = limitsOf(request.skill.manifest.limits, judged);
  const skill = { ...request.skill, manifest: { ...request.skill.manifest, limits } };
  const ask = async (
    cases: readonly (readonly [Case, object])[],
  ): Promise<readonly JudgedCase[]> => {
    const ordered = cases.map(([of, order]) => ({ ...of, args: [order as Json, ...of.args] }));
    const asked = {
      skill,
      cases: ordered,
      program,
      fresh: false,
      unconfirmed: true,
    };
    return (await examine(asked, { ...ports, unrecorded: "closed" }, signal)).judged;
  };
  const told = await ask(judged.map((one) => [one.case, TELL]));
  const matches = told.map(matchesIn);
  const failing = judged.flatMap(({ passed }, at) => (passed ? [] : [at]));
  const usual = countsOf(failing.map((at) => matches[at] ?? []));
  const trials = failing.flatMap((at) =>
    ordersFor(matches[at] ?? [], usual).map((order) => ({ at, order })),
  );
  const tried = await ask(
    trials.map(({ at, order }) => [(judged[at] as JudgedCase).case, { ...order, tells: false }]),
  );
  const ways = trials.filter((_, trial) => tried[trial]?.passed === true);
  const forced = await ask(
    ways.map(({ at, order }) => [(judged[at] as JudgedCase).case, { ...order, tells: true }]),
  );
  const found = ways.map((way, at) => ({
    ...way,
    matches: matchesIn(forced[at] as JudgedCase),
  }));
  const passing = matches.filter((_, at) => judged[at]?.passed === true).flat();
  const demands = sites.flatMap((site, number) => {
    const own = found.filter(({ order }) => order.site === number);
    const demand = demandOf(
      own,
      passing.filter((one) => one.site === number),
    );
    return demand === null ? [] : [{ site, ...demand }];
  });
  const places = placesOf(sites, { told, matches }, request);
  return { demands: demands.toSorted((a, b) => b.decides - a.decides), places, sites };
}

/** Expressions as places. A case that never comes back tells nothing of the one in which it stays. */
function placesOf(
  sites: readonly PatternSite[],
  seen: {
    readonly told: readonly JudgedCase[];
    readonly matches: readonly (readonly Match[])[];
  },
  { skill, diagnosis }: ProposalRequest,
): readonly Suspicion[] {
  if (seen.told.some(({ outcome }) => isEndless(outcome))) return [];
  return localise(
    sites.map(({ start, end }) => ({ start, end, line: lineAt(skill.source, start) })),
    diagnosis.judged.map(({ passed, outcome }, at) => {
      const hits = (seen.matches[at] ?? []).map(({ site }) => site);
      return { passed, outcome, hits: [...new Set(hits)] };
    }),
  );
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}

/** Matches of one case that are looked at, at most. */
const MOST_MATCHES = 2_000;

/** What a case told, as far as it has the form: the program in the guest may tell anything. */
function matchesIn({ outcome }: JudgedCase): readonly Match[] {
  if (outcome.status !== "returned" || !Array.isArray(outcome.value)) return [];
  return (outcome.value as readonly Json[]).slice(0, MOST_MATCHES).flatMap(matchIn);
}

function matchIn(one: Json): Match[] {
  if (!Array.isArray(one)) return [];
  const [site, text, from, matched] = one as readonly Json[];
  if (!isPlace(site) || !isPlace(from)) return [];
  if (typeof text !== "string" || typeof matched !== "boolean") return [];
  return [{ site, text, from, matched }];
}

function isPlace(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** In how many cases each site was reached. */
function countsOf(cases: readonly (readonly Match[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const matches of cases) {
    for (const site of new Set(matches.map((one) => one.site))) {
      counts.set(site, (counts.get(site) ?? 0) + 1);
    }
  }
  return counts;
}

/** The opposite of what was found, where the most cases come along: once each, then all of a kind. */
function ordersFor(
  matches: readonly Match[],
  usual: ReadonlyMap<number, number>,
): readonly Order[] {
  const sites = [...Map.groupBy(matches, ({ site }) => site)]
    .toSorted(([one], [other]) => (usual.get(other) ?? 0) - (usual.get(one) ?? 0))
    .slice(0, MOST_SITES);
  return sites.flatMap(([site, own]) =>
    [true, false].flatMap((matches): Order[] => {
      const turns = Math.min(MOST_TURNS, own.filter(({ matched }) => matched !== matches).length);
      const single = Array.from({ length: turns }, (_, turn) => ({ site, turn, matches }));
      return turns > 1 ? [...single, { site, turn: -1, matches }] : single;
    }),
  );
}

type Way = { readonly at: number; readonly order: Order; readonly matches: readonly Match[] };

/** The rows of one site; null where no case is decided there, or two ask for opposites. */
function demandOf(ways: readonly Way[], passing: readonly Match[]): Omit<Demand, "site"> | null {
  const wants = new Map<string, boolean>();
  const matches = new Map<string, boolean>();
  const decided = new Set<number>();
  for (const { at, order, matches: seen } of ways) {
    if (decided.has(at)) continue;
    const turned = turnedIn(seen, order);
    if (turned.some((text) => wants.get(text) === !order.matches)) continue;
    decided.add(at);
    for (const text of turned) {
      wants.set(text, order.matches);
      matches.set(text, !order.matches);
    }
  }
  if (decided.size === 0) return null;
  // A match that goes on where the last one ended says nothing of the text as a whole.
  for (const { text, from, matched } of passing) {
    if (wants.has(text) || from > 0) continue;
    wants.set(text, matched);
    matches.set(text, matched);
  }
  const rows = [...wants].map(([text, want]) => ({
    text,
    wants: want,
    matches: matches.get(text) ?? want,
  }));
  return { rows, decides: decided.size };
}

/** The texts at which an order was followed. */
function turnedIn(seen: readonly Match[], { site, turn, matches }: Order): readonly string[] {
  const own = seen.filter((one) => one.site === site && one.matched !== matches);
  const texts = own.map(({ text }) => text);
  return turn === -1 ? [...new Set(texts)] : texts.slice(turn, turn + 1);
}
