import type { Proposal } from "../../domain/candidate.ts";
import type { Message } from "../../domain/completion.ts";
import { HoneError } from "../../domain/errors.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { Model } from "../../ports/model.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { evidenceOf } from "./evidence.ts";
import { fitted } from "./fit.ts";
import type { Lesson } from "../../domain/lesson.ts";
import { render } from "./render.ts";
import { sampled, type Sampled } from "./samples.ts";
import { weighed, type Weighed, type WeighPorts } from "./weigh.ts";

/** The prompts, as they stand in `prompts/`, and the digest of all of them. */
export type Prompts = {
  readonly system: string;
  readonly repair: string;
  readonly again: string;
  readonly digest: string;
};

type ModelProposerSettings = {
  /** Patches asked for at a time. */
  readonly samples: number;
  readonly temperature: number;
  /** Tokens of one answer at most. */
  readonly maxTokens: number;
  /** Milliseconds of its own for one group: what others leave of theirs is too little for a model. */
  readonly groupMs: number;
};

type Ports = WeighPorts & {
  readonly model: Model;
  readonly prompts: Prompts;
  readonly settings: ModelProposerSettings;
  /** What was tried before for an incident, the latest first. */
  readonly recall?: (incident: string) => readonly Lesson[];
};

/**
 * Asks a language model for patches: a group of samples of one prompt, each at another temperature,
 * the same ones counted once; best of K (Cobbe et al., arXiv 2110.14168; Brown et al., "Large
 * language monkeys", arXiv 2407.21787). All of a group are proposed, the surest first, so that the
 * group has a spread to learn from. Nothing that a model says is believed: its patches go the way of
 * all others.
 */
export function createModelProposer(ports: Ports): Proposer {
  const { groupMs } = ports.settings;
  return {
    name: "model",
    ownBudgetMs: groupMs,
    propose: (request, signal) => asked(request, ports, signal),
  };
}

async function* asked(
  request: ProposalRequest,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(request.budgetMs)]);
  const card = await inTime(ports.model.card(until), signal);
  if (card === null) throw unreachable("the model's endpoint does not answer");
  const group = await inTime(grouped(request, card, ports, until), signal);
  const out = group?.find(({ status }) => status === "unreachable" || status === "over-budget");
  const samples = (group ?? []).flatMap((one) => (one.status === "patch" ? [one.sample] : []));
  const fresh = samples.filter(({ digest }) => !request.diagnosis.tried.includes(digest));
  const ranked = await weighed(fresh, request, ports, signal);
  yield { kind: "tried", programs: ranked.length };
  const of = group?.length ?? 0;
  const proposals = [
    ...ranked.map((one) => proposalOf(one, { of, request, ports })),
    ...(group ?? []).flatMap((one) => missed(one, request)),
  ];
  for (const [at, proposal] of proposals.entries()) {
    yield { kind: "proposal", proposal, isFollowed: at < proposals.length - 1 };
  }
  if (group === null) throw unreachable(`no answer within ${request.budgetMs} ms`);
  if (out !== undefined && samples.length === 0) throw unreachable(reasonOf(out));
}

/** All samples of a group at once; the endpoint's adapter holds back what is too much for it. */
async function grouped(
  request: ProposalRequest,
  card: ModelCard,
  { model, editor, prompts, settings, recall = () => [] }: Ports,
  signal: AbortSignal,
): Promise<readonly Sampled[]> {
  const { skill, diagnosis, seed } = request;
  const maxTokens = Math.min(settings.maxTokens, Math.floor(card.contextTokens / 2));
  const room = (card.contextTokens - maxTokens - TURN_TOKENS) / card.tokensPerCharacter;
  const lessons = recall(diagnosis.incidentId);
  const most = room - prompts.system.length - prompts.repair.length;
  const evidence = fitted(evidenceOf(request, lessons), most);
  if (evidence === null) {
    const reason = `the skill and its failing case do not fit into ${card.contextTokens} tokens`;
    return [{ status: "no-patch", reason }];
  }
  const messages: readonly Message[] = [
    { role: "system", content: prompts.system },
    { role: "user", content: render(prompts.repair, evidence) },
  ];
  const common = { skill, messages, maxTokens, incident: diagnosis.incidentId };
  return await Promise.all(
    temperaturesOf(settings).map((temperature, at) =>
      sampled(
        { ...common, temperature, seed: (seed + at) % 2 ** 31, again: prompts.again },
        { model, editor },
        signal,
      ),
    ),
  );
}

/** Tokens of the turn in which a slip is put right, beside the answer that it repeats. */
const TURN_TOKENS = 300;

/** The first sample is the likeliest answer; the others spread around the setting. */
function temperaturesOf({ samples, temperature }: ModelProposerSettings): readonly number[] {
  return Array.from({ length: samples }, (_, at) =>
    at === 0 ? 0 : Math.round(100 * temperature * (0.5 + at / Math.max(1, samples - 1))) / 100,
  );
}

function proposalOf(
  { sample, votes, isPlausible, confidence }: Weighed,
  {
    of,
    request,
    ports,
  }: { readonly of: number; readonly request: ProposalRequest; readonly ports: Ports },
): Proposal {
  const { edits, temperature, model } = sample;
  const said = sample.reason.replace(/\s+/g, " ").trim().slice(0, 300) || "no reason was given";
  const by = { name: model, prompt: ports.prompts.digest, temperature };
  const origin = { ...originOf(request), model: by };
  const proposal = { edits, origin, reason: `${said} (${votes} of ${of} samples)` };
  return isPlausible ? { ...proposal, confidence } : proposal;
}

/** An answer without a patch is an attempt that is refused, so that it is counted and seen. */
function missed(one: Sampled, request: ProposalRequest): readonly Proposal[] {
  if (one.status !== "no-patch") return [];
  return [{ edits: [], origin: originOf(request), reason: `no_patch: ${one.reason}` }];
}

function originOf({ seed }: ProposalRequest): Proposal["origin"] {
  return { proposer: "model", operator: "sample", seed, parent: null };
}

/** Null where the time of the group is over; what aborts the whole aborts this too. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function reasonOf(one: Sampled): string {
  return "reason" in one ? one.reason : "";
}

function unreachable(reason: string): HoneError {
  return new HoneError("model-unreachable", `llm_unreachable: ${reason}`, {
    hint: "Run `hone doctor` to see the endpoint; the other proposers go on without it.",
    retryable: true,
  });
}
