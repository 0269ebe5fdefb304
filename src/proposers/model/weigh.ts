import { isWords } from "../../domain/skill.ts";
import { spliceBetween } from "../../domain/splice-between.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import { examineInBrief } from "../../examine/in-brief.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { agreementOf } from "../search/agree.ts";
import { isByHeart, type WithLiterals } from "./by-heart.ts";
import type { Author, Sample } from "./samples.ts";

export type WeighPorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  readonly now: () => number;
};

/** A patch with how often it was given, and how sure it is. */
export type Weighed = {
  readonly sample: Sample;
  readonly votes: number;
  /** Who gave it. */
  readonly authors: readonly Author[];
  /** It passes every visible case. */
  readonly isPlausible: boolean;
  /** In (0,1), where it passes them; null where samples are not held against each other. */
  readonly confidence: number | null;
};

/** Time for asking what patches do, in milliseconds. */
const ASKING_MS = 3_000;

/** How sure a patch is that may have learnt its answers from the cases. */
const BY_HEART = 0.05;

/**
 * Patches by how sure they are. Those that pass the visible cases are run on generated questions, and
 * those that do the same stand together: the share of the samples that a behaviour got is how sure it
 * is (self-consistency: Wang et al., ICLR 2023; with agreement on generated inputs: Chen et al.,
 * CodeT, arXiv 2207.10397). Answers learnt by heart are not sure, however many say so.
 */
export async function weighed(
  samples: readonly Sample[],
  request: ProposalRequest,
  ports: WeighPorts,
  signal: AbortSignal,
): Promise<readonly Weighed[]> {
  const votes = new Map<string, number>();
  for (const { digest } of samples) votes.set(digest, (votes.get(digest) ?? 0) + 1);
  const distinct = samples.filter(
    ({ digest }, at) => samples.findIndex((one) => one.digest === digest) === at,
  );
  const shares = new Map<Sample, number>();
  for (const sample of distinct) {
    shares.set(sample, await shareOf(sample, request, ports, signal));
  }
  const passing = distinct.filter((sample) => shares.get(sample) === 1);
  const sure = await confidencesOf(passing, { votes, request }, ports, signal);
  const size = (sample: Sample): number => sizeOf(request.skill.source, sample.source);
  const rank = ({ sample, confidence }: Weighed): number =>
    (shares.get(sample) ?? 0) + (confidence ?? 0);
  return distinct
    .map((sample): Weighed => {
      const confidence = sure.get(sample) ?? null;
      const isPlausible = shares.get(sample) === 1;
      const authors = samples.flatMap(({ digest, by }) => (digest === sample.digest ? [by] : []));
      return { sample, votes: authors.length, authors, isPlausible, confidence };
    })
    .toSorted((a, b) => rank(b) - rank(a) || size(a.sample) - size(b.sample));
}

/** The share of the visible cases that a sample passes; endless loops are not waited for in full. */
async function shareOf(
  { program }: Sample,
  { skill }: ProposalRequest,
  ports: WeighPorts,
  signal: AbortSignal,
): Promise<number> {
  const closed = { ...ports, unrecorded: "closed" } as const;
  const asked = { skill, cases: skill.cases, program };
  // A model that runs a prompt is slow, and asking it twice costs.
  const { judged } = isWords(skill)
    ? await examine({ ...asked, unconfirmed: true }, closed, signal)
    : await examineInBrief(asked, closed, signal);
  return judged.filter(({ passed }) => passed).length / Math.max(1, judged.length);
}

async function confidencesOf(
  passing: readonly Sample[],
  {
    votes,
    request,
  }: { readonly votes: ReadonlyMap<string, number>; readonly request: ProposalRequest },
  ports: WeighPorts,
  signal: AbortSignal,
): Promise<ReadonlyMap<Sample, number>> {
  // Words differ in their words; what they do on questions that nobody asked costs a model's time.
  if (passing.length === 0 || isWords(request.skill)) return new Map();
  const members = new Map(passing.map((sample) => [mutationOf(sample, request), sample] as const));
  const endsAt = ports.now() + ASKING_MS;
  const asking = { ...ports, parallel: 2, isOver: () => ports.now() >= endsAt };
  const agreement = await agreementOf([...members.keys()], request, asking, signal);
  const all = passing.reduce((sum, { digest }) => sum + (votes.get(digest) ?? 0), 0);
  const sure = new Map<Sample, number>();
  const before = await read(request.skill.source, request, ports, signal);
  for (const [at, cluster] of agreement.clusters.entries()) {
    const own = cluster.members.flatMap((member) => members.get(member) ?? []);
    const share = own.reduce((sum, { digest }) => sum + (votes.get(digest) ?? 0), 0) / (all + 1);
    for (const sample of own) {
      const after = await read(sample.source, request, ports, signal);
      const learnt = isByHeart(
        { before, after },
        { agreement, cluster: at },
        request.diagnosis.judged,
      );
      sure.set(sample, learnt ? Math.min(share, BY_HEART) : share);
    }
  }
  return sure;
}

/** A source with what it has written down. */
async function read(
  text: string,
  { skill: { language, signature } }: ProposalRequest,
  { editor }: WeighPorts,
  signal: AbortSignal,
): Promise<WithLiterals> {
  const literals = await editor.literals({ text, language, entry: signature.name }, signal);
  return { text, literals };
}

/** A patch as the search has its edits: one splice of the source. */
function mutationOf({ source, program }: Sample, { skill }: ProposalRequest): Mutation {
  const splice = spliceBetween(skill.source, source);
  return { edits: [{ op: "splice", ...splice }], operator: "model", prior: 0.5, program };
}

function sizeOf(before: string, after: string): number {
  const { start, end, text } = spliceBetween(before, after);
  return Math.max(end - start, text.length);
}
