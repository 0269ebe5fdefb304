import type { ArmChoice } from "../../domain/bandit.ts";
import type { ModelOrigin, Proposal } from "../../domain/candidate.ts";
import { HoneError } from "../../domain/errors.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { Model } from "../../ports/model.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import type { Recollection } from "../../domain/lesson.ts";
import { planFor } from "./plan.ts";
import { sampled, type Author, type Sampled } from "./samples.ts";
import { talkFor, type Prompts } from "./talk.ts";
import { weighed, type Weighed, type WeighPorts } from "./weigh.ts";

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
  /** The prompts as they are now, where a workspace has words of its own. */
  readonly promptsNow?: () => Promise<Prompts>;
  readonly settings: ModelProposerSettings;
  /** How to ask, by what was learnt; see `planFor`. */
  readonly chooseArms?: (wanted: ArmChoice) => readonly string[];
  /** What was tried before for an incident, the latest first. */
  readonly recall?: (incident: string) => Recollection;
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

/** Of the time of a group, for its answers; in the rest they are weighed. */
const ASKING_SHARE = 0.85;

async function* asked(
  request: ProposalRequest,
  given: Ports,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const ports = { ...given, prompts: (await given.promptsNow?.()) ?? given.prompts };
  const askingMs = Math.floor(request.budgetMs * ASKING_SHARE);
  const until = AbortSignal.any([signal, AbortSignal.timeout(askingMs)]);
  const card = await inTime(ports.model.card(until), signal);
  if (card === null) throw unreachable("the model's endpoint does not answer");
  const group = (await grouped(request, card, ports, until)).map((one) =>
    unlessTried(one, request),
  );
  signal.throwIfAborted();
  const samples = group.flatMap((one) => (one.status === "patch" ? [one.sample] : []));
  const ranked = await weighed(samples, request, ports, signal);
  yield { kind: "tried", programs: ranked.length };
  const of = group.length;
  const proposals = [
    ...ranked.map((one) => proposalOf(one, { of, request, ports })),
    ...group.flatMap((one) => missed(one, { request, ports })),
  ];
  for (const [at, proposal] of proposals.entries()) {
    yield { kind: "proposal", proposal, isFollowed: at < proposals.length - 1 };
  }
  const out = group.find((one) => one.status === "unreachable" || one.status === "over-budget");
  if (out !== undefined && "reason" in out && proposals.length === 0) throw failureOf(out);
}

/** What was refused before for the same failure is not run again. */
function unlessTried(one: Sampled, { diagnosis }: ProposalRequest): Sampled {
  if (one.status !== "patch" || !diagnosis.tried.includes(one.sample.digest)) return one;
  const { by } = one.sample;
  return { status: "no-patch", reason: "it was tried before, and refused", by };
}

/** All samples of a group at once; the endpoint's adapter holds back what is too much for it. */
async function grouped(
  request: ProposalRequest,
  card: ModelCard,
  { model, editor, prompts, settings, chooseArms, recall = () => NOTHING }: Ports,
  signal: AbortSignal,
): Promise<readonly Sampled[]> {
  const { skill, diagnosis, seed } = request;
  const past = recall(diagnosis.incidentId);
  const { approaches } = prompts;
  const { failureClass } = diagnosis;
  const learning = chooseArms === undefined ? {} : { chooseArms };
  const of = { settings, approaches, model: card.model, failureClass, seed, ...learning };
  const plan = planFor(of);
  const saying = { prompts, settings, approaches: plan.map(({ approach }) => approach), past };
  const talk = talkFor(request, card, saying);
  if (talk === null) {
    const reason = `the skill and its failing case do not fit into ${card.contextTokens} tokens`;
    return [{ status: "no-patch", reason }];
  }
  const { maxTokens, turn } = talk;
  const common = { skill, maxTokens, turn, incident: diagnosis.incidentId, again: prompts.again };
  return await Promise.all(
    talk.samples.map(({ at, messages, parent }) => {
      const { temperature, arm } = plan[at] ?? { temperature: 0, arm: null };
      const own = { messages, parent, temperature, arm, seed: (seed + at) % 2 ** 31 };
      return sampled({ ...common, ...own }, { model, editor }, signal).catch((error: unknown) =>
        late(error, signal),
      );
    }),
  );
}

/** Where there is no ledger, or nothing in it yet. */
const NOTHING: Recollection = { lessons: [], ancestors: [], groups: 0 };

/** What came back in time counts, whatever became of the others. */
function late(error: unknown, signal: AbortSignal): Sampled {
  if (!signal.aborted && error instanceof HoneError && error.code === "editor-failed") {
    return { status: "no-patch", reason: "no syntax tree can be made of it" };
  }
  if (!signal.aborted) throw error;
  return { status: "unreachable", reason: "no answer came in the time of the group" };
}

function proposalOf(
  { sample, votes, authors, isPlausible, confidence }: Weighed,
  {
    of,
    request,
    ports,
  }: { readonly of: number; readonly request: ProposalRequest; readonly ports: Ports },
): Proposal {
  const { edits, parent } = sample;
  const said = sample.reason.replace(/\s+/g, " ").trim().slice(0, 300) || "no reason was given";
  const model = modelOf(authors, ports);
  const operator = parent === null ? "sample" : "evolved";
  const origin = { ...originOf(request), operator, parent, model };
  const proposal = { edits, origin, reason: `${said} (${votes} of ${of} samples)` };
  return isPlausible && confidence !== null ? { ...proposal, confidence } : proposal;
}

/** An answer without a patch is an attempt that is refused, so that it is counted and seen. */
function missed(
  one: Sampled,
  { request, ports }: { readonly request: ProposalRequest; readonly ports: Ports },
): readonly Proposal[] {
  if (one.status !== "no-patch") return [];
  const { by } = one;
  const origin = originOf(request);
  const model = by === undefined ? null : modelOf([by], ports);
  const asked = model === null ? {} : { model };
  return [{ edits: [], origin: { ...origin, ...asked }, reason: `no_patch: ${one.reason}` }];
}

/** The first of those who gave an answer, and how each of them was asked. */
function modelOf(authors: readonly Author[], { prompts }: Ports): ModelOrigin {
  const { name = "", temperature = 0 } = authors[0] ?? {};
  const samples = authors.flatMap(({ arm, tokens }) => (arm === null ? [] : [{ arm, tokens }]));
  const origin = { name, temperature, prompt: prompts.digest };
  return samples.length === 0 ? origin : { ...origin, samples };
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

function failureOf(one: Extract<Sampled, { readonly reason: string }>): HoneError {
  if (one.status !== "over-budget") return unreachable(one.reason);
  return new HoneError("refused", `over_budget: ${one.reason}`, {
    hint: "The other proposers go on without the model.",
    retryable: true,
  });
}

function unreachable(reason: string): HoneError {
  return new HoneError("model-unreachable", `llm_unreachable: ${reason}`, {
    hint: "Run `hone doctor` to see the endpoint; the other proposers go on without it.",
    retryable: true,
  });
}
