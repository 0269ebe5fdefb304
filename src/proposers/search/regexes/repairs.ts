import type { ExaminePorts } from "../../../examine/examine.ts";
import type { Editor, Mutation, PatternSite, PatternVariant } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import { OPERATORS } from "../operator-table.ts";
import { missingEntries } from "./entries.ts";
import { demandsOf, type Sighting } from "./demands.ts";
import { Matcher } from "./matching.ts";
import { synthesise } from "./synthesis.ts";

export type RepairPorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  readonly isOver: () => boolean;
};

/** Regular expressions that are worked on. */
const MOST_SITES = 6;

/** What reaches the regular expressions of a skill; null where it has none that can be watched. */
export async function sightingOf(
  request: ProposalRequest,
  ports: RepairPorts,
  signal: AbortSignal,
): Promise<Sighting | null> {
  const { source: text, language, signature } = request.skill;
  const watched = await ports.editor.watchPatterns(
    { text, language, entry: signature.name },
    signal,
  );
  return watched.sites.length === 0 ? null : await demandsOf(watched, request, ports, signal);
}

/**
 * Changes of single regular expressions that decide failing cases, made so that every text which
 * reached them finds what it should.
 */
export async function* regexRepairs(
  { demands, sites: all }: Sighting,
  request: ProposalRequest,
  ports: RepairPorts,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const failing = request.diagnosis.judged.filter(({ passed }) => !passed).length;
  const [most = 0] = demands.map(({ decides }) => decides);
  // Where one expression decides every case, those that decide some of them are no repair.
  const sites = demands.filter(({ decides }) => decides === most);
  const matcher = new Matcher(ports);
  for (const { site, rows, decides } of sites.slice(0, MOST_SITES)) {
    if (ports.isOver()) return;
    const found = await synthesise(site, rows, { ...ports, matcher }, signal);
    const mutations = found.flatMap(
      (one) => mutationOf(request, site, one, decides / failing) ?? [],
    );
    if (mutations.length > 0) yield mutations;
  }
  yield* missingEntries(all, request, { ...ports, matcher }, signal);
}

/** One pattern in the place of another; null where the flags are not at that place. */
// oxlint-disable-next-line max-params
function mutationOf(
  { skill: { program } }: ProposalRequest,
  { form, start, end, flags }: PatternSite,
  variant: PatternVariant,
  share: number,
): Mutation | null {
  if (form === "string" && variant.flags !== flags) return null;
  const isLiteral = form === "literal";
  const text = isLiteral ? `/${variant.text}/${variant.flags}` : JSON.stringify(variant.text);
  return {
    edits: [{ op: "splice", start, end, text }],
    operator: "regex",
    prior: Math.min(1, OPERATORS.regex.prior * variant.weight * share),
    program: { ...program, text: program.text.slice(0, start) + text + program.text.slice(end) },
  };
}
