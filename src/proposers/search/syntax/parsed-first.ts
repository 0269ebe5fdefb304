import type { Proposal } from "../../../domain/candidate.ts";
import { spliceBetween } from "../../../domain/splice-between.ts";
import type { ExaminePorts } from "../../../examine/examine.ts";
import type { Editor, Mutation, SourceText, SyntaxRepair } from "../../../ports/editor.ts";
import type { ProposalNews, ProposalRequest } from "../../../ports/proposer.ts";
import { requestFrom, startsFrom, type Start } from "./starts.ts";
import { inTime } from "../in-time.ts";

/** Parsable texts that are looked at, at most. */
const REPAIRS = 48;

/** Of those that fail some case, how many the ordinary search starts from. */
const STARTS = 3;

/** Share of the budget for finding out which cases each of them passes. */
const TRYING_SHARE = 0.3;

export type ParsePorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  readonly parallel: number;
  readonly now: () => number;
};

/** What the search does with programs that can be read. */
export type Ordinary = {
  readonly search: (request: ProposalRequest, signal: AbortSignal) => AsyncIterable<ProposalNews>;
  /** Weighs edits that pass every visible case against each other, the surest first. */
  readonly weighed: (
    found: readonly Mutation[],
    request: ProposalRequest,
    signal: AbortSignal,
  ) => Promise<readonly ProposalNews[]>;
};

/**
 * A source that cannot be read is made readable first, by token edits; one that can goes to the
 * ordinary search as it is. A readable text that passes every visible case is proposed; where none
 * does, those that come nearest are where the ordinary search starts, and what it finds is proposed
 * together with the token edits as one splice of the source as it was. That a program which cannot
 * be compiled is repaired at all by what its compiler says and its tests then confirm follows
 * DeepFix (Gupta et al., AAAI 2017), here by enumeration in place of a learned model.
 */
export async function* parsedFirst(
  request: ProposalRequest,
  { ports, ordinary }: { readonly ports: ParsePorts; readonly ordinary: Ordinary },
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const endsAt = ports.now() + request.budgetMs;
  const repairs = await repairsOf(request, ports, signal);
  if (repairs.length === 0) {
    yield* ordinary.search(request, signal);
    return;
  }
  const until = ports.now() + request.budgetMs * TRYING_SHARE;
  const starts = await startsFrom(repairs, { request, ports, until }, signal);
  yield { kind: "tried", programs: starts.length };
  const passing = starts.filter(({ isPassing }) => isPassing).map(({ repair }) => repair);
  if (passing.length > 0) yield* await readable(passing, request, ordinary, signal);
  for (const [at, start] of starts
    .filter((one) => !one.isPassing)
    .slice(0, STARTS)
    .entries()) {
    const leftMs = endsAt - ports.now();
    const budgetMs = at + 1 < STARTS ? leftMs / 2 : leftMs;
    if (budgetMs <= 0) return;
    const from = { ...request, budgetMs };
    yield* continued(start, { request: from, ports, ordinary }, signal);
  }
}

/** Only what could not be loaded is looked at: all else has been read. */
async function repairsOf(
  { skill, diagnosis, budgetMs }: ProposalRequest,
  { editor }: ParsePorts,
  signal: AbortSignal,
): Promise<readonly SyntaxRepair[]> {
  if (diagnosis.failureClass !== "not-loaded") return [];
  const work = (until: AbortSignal) => editor.syntaxRepairs(sourceOf(skill), REPAIRS, until);
  return await inTime(work, { leftMs: budgetMs * TRYING_SHARE, otherwise: [] }, signal);
}

function sourceOf({ source, language, signature }: ProposalRequest["skill"]): SourceText {
  return { text: source, language, entry: signature.name };
}

/** Token edits after which every visible case passes. */
async function readable(
  passing: readonly SyntaxRepair[],
  request: ProposalRequest,
  { weighed }: Ordinary,
  signal: AbortSignal,
): Promise<readonly ProposalNews[]> {
  const told = new Map(passing.map((repair) => [repair.edits, repair]));
  const found = passing.map(({ edits, program, cost }) => {
    return { edits, program, operator: "tokens", prior: Math.exp(-cost) };
  });
  const news = await weighed(found, request, signal);
  return news.map((one) => {
    const repair = one.kind === "proposal" ? told.get(one.proposal.edits) : undefined;
    if (one.kind !== "proposal" || repair === undefined) return one;
    const { confidence = 1 } = one.proposal;
    const reason = `${saidOf(repair)} (confidence ${confidence.toFixed(2)})`;
    return { kind: "proposal", proposal: { ...one.proposal, reason } };
  });
}

/** ``on line 3, a `,` is missing after `x` ``. */
function saidOf({ line, says }: SyntaxRepair): string {
  return `on line ${line}, ${says}`;
}

/** The ordinary search from a readable text; its edits become edits of the source as it was. */
async function* continued(
  start: Start,
  {
    request,
    ports,
    ordinary,
  }: {
    readonly request: ProposalRequest;
    readonly ports: ParsePorts;
    readonly ordinary: Ordinary;
  },
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const from = await requestFrom(start, request, ports, signal);
  if (from === null) return;
  for await (const news of ordinary.search(from, signal)) {
    if (news.kind === "tried") yield news;
    else yield* await rebased(news.proposal, { start, request, ports }, signal);
  }
}

async function rebased(
  proposal: Proposal,
  {
    start: { repair },
    request: { skill },
    ports,
  }: { readonly start: Start; readonly request: ProposalRequest; readonly ports: ParsePorts },
  signal: AbortSignal,
): Promise<readonly ProposalNews[]> {
  const source = { ...sourceOf(skill), text: repair.text };
  const edited = await ports.editor.apply(source, proposal.edits, signal);
  if (edited.status === "refused") return [];
  const edits = [{ op: "splice", ...spliceBetween(skill.source, edited.text) }] as const;
  const origin = { ...proposal.origin, operator: `tokens+${proposal.origin.operator}` };
  const reason = `${saidOf(repair)}; then ${proposal.reason}`;
  return [{ kind: "proposal", proposal: { ...proposal, edits, origin, reason } }];
}
