import { spliceBetween } from "../../domain/splice-between.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { agreementOf } from "../search/agree.ts";
import { isByHeart } from "./by-heart.ts";
import type { Sample } from "./samples.ts";

export type WeighPorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  readonly now: () => number;
};

/** A patch with how often it was given, and how sure it is. */
export type Weighed = {
  readonly sample: Sample;
  readonly votes: number;
  /** It passes every visible case. */
  readonly isPlausible: boolean;
  /** In (0,1), where it passes them. */
  readonly confidence: number;
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
  const passing: Sample[] = [];
  for (const sample of distinct) {
    if (await passesAll(sample, request, ports, signal)) passing.push(sample);
  }
  const sure = await confidencesOf(passing, { votes, request }, ports, signal);
  const size = (sample: Sample): number => sizeOf(request.skill.source, sample.source);
  return distinct
    .map((sample) => {
      const confidence = sure.get(sample) ?? 0;
      const isPlausible = sure.has(sample);
      return { sample, votes: votes.get(sample.digest) ?? 1, isPlausible, confidence };
    })
    .toSorted((a, b) => b.confidence - a.confidence || size(a.sample) - size(b.sample));
}

async function passesAll(
  { program }: Sample,
  { skill }: ProposalRequest,
  ports: WeighPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const closed = { ...ports, unrecorded: "closed" } as const;
  const asked = { skill, cases: skill.cases, program, unconfirmed: true };
  const { judged } = await examine(asked, closed, signal);
  return judged.every(({ passed }) => passed);
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
  if (passing.length === 0) return new Map();
  const members = new Map(passing.map((sample) => [mutationOf(sample, request), sample] as const));
  const endsAt = ports.now() + ASKING_MS;
  const asking = { ...ports, parallel: 2, isOver: () => ports.now() >= endsAt };
  const agreement = await agreementOf([...members.keys()], request, asking, signal);
  const all = passing.reduce((sum, { digest }) => sum + (votes.get(digest) ?? 0), 0);
  const sure = new Map<Sample, number>();
  for (const [at, cluster] of agreement.clusters.entries()) {
    const own = cluster.members.flatMap((member) => members.get(member) ?? []);
    const share = own.reduce((sum, { digest }) => sum + (votes.get(digest) ?? 0), 0) / (all + 1);
    for (const sample of own) {
      const texts = { before: request.skill.source, after: sample.source };
      const learnt = isByHeart(texts, { agreement, cluster: at }, request.diagnosis.judged);
      sure.set(sample, learnt ? Math.min(share, BY_HEART) : share);
    }
  }
  return sure;
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
