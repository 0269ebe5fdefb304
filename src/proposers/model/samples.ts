import type { Edit } from "../../domain/candidate.ts";
import type { Completion, Message } from "../../domain/completion.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import { LARGEST_SOURCE_BYTES } from "../../domain/patch-scope.ts";
import { fitText } from "../../domain/unfit-text.ts";
import type { Editor } from "../../ports/editor.ts";
import type { Model } from "../../ports/model.ts";
import { ANSWER_SCHEMA, readAnswer, type Read } from "./answer.ts";
import { render } from "./render.ts";

/** A patch that can be made: different ones have different digests. */
export type Sample = {
  readonly edits: readonly Edit[];
  readonly reason: string;
  readonly source: string;
  readonly program: Program;
  readonly digest: string;
  readonly by: Author;
  /** The candidate that it goes on from. */
  readonly parent: string | null;
};

/** The model as its server names it, and how freely it spoke. */
export type Author = {
  readonly name: string;
  readonly temperature: number;
  /** The way in which it was asked; null where nothing is learnt. */
  readonly arm: string | null;
  /** Tokens that it had to read and write; 0 where the server did not count. */
  readonly tokens: number;
};

/** What one attempt came to. */
export type Sampled =
  | { readonly status: "patch"; readonly sample: Sample }
  /** It cost an attempt: nothing usable was answered. */
  | {
      readonly status: "no-patch";
      readonly reason: string;
      /** Absent where nothing was answered. */
      readonly by?: Author;
    }
  /** It says nothing of the model's answers. */
  | { readonly status: "unreachable" | "over-budget"; readonly reason: string };

export type Sampling = {
  readonly skill: Skill;
  readonly messages: readonly Message[];
  readonly seed: number;
  readonly temperature: number;
  readonly arm: string | null;
  readonly maxTokens: number;
  readonly incident: string;
  /** The candidate that the messages say to go on from. */
  readonly parent: string | null;
  /** The prompt of the turn in which a slip may be put right. */
  readonly again: string;
  /** Characters that the turn may have, what it repeats of the answer among them. */
  readonly turn: number;
};

type Ports = { readonly model: Model; readonly editor: Pick<Editor, "apply" | "inspect"> };

/**
 * One attempt: a completion, and where its answer is no patch one turn more, in which the model is
 * told what is wrong with it. What was cut off by the limit is asked for once more, and smaller.
 */
export async function sampled(
  sampling: Sampling,
  ports: Ports,
  signal: AbortSignal,
): Promise<Sampled> {
  const first = await ports.model.complete(requestOf(sampling, sampling.messages), signal);
  const read = await understood(first, sampling, ports, signal);
  if (read.status !== "no-patch" || !isWorthAsking(first)) return read;
  const messages = [...sampling.messages, ...turnAfter(first, read.reason, sampling)];
  const second = await ports.model.complete(requestOf(sampling, messages), signal);
  const mended = await understood(second, sampling, ports, signal);
  return mended.status === "patch"
    ? costing(mended, tokensOf(first))
    : costing(read, tokensOf(second));
}

/** What a turn cost that the attempt had beside the one which gave its answer. */
function costing(one: Sampled, tokens: number): Sampled {
  const more = (by: Author): Author => ({ ...by, tokens: by.tokens + tokens });
  if (one.status === "patch") return { ...one, sample: { ...one.sample, by: more(one.sample.by) } };
  return one.status === "no-patch" && one.by !== undefined ? { ...one, by: more(one.by) } : one;
}

function tokensOf(completion: Completion): number {
  const usage = "usage" in completion ? completion.usage : null;
  return usage === null ? 0 : Math.max(0, usage.prompt - usage.cached) + usage.completion;
}

/** What was said, as far as there is room for it, and what is wrong with it. */
function turnAfter(
  said: Completion,
  problem: string,
  { again, turn }: Sampling,
): readonly Message[] {
  const told = render(again, { problem: clip(problem, MOST_PROBLEM), advice: adviceFor(said) });
  const answer = "text" in said && said.text !== "" ? said.text : "(nothing)";
  return [
    { role: "assistant", content: clip(answer, Math.max(0, turn - told.length)) },
    { role: "user", content: told },
  ];
}

/** Characters of a problem that are told. */
const MOST_PROBLEM = 600;

/** A context that was cut, and a request that was refused, are not mended by asking again. */
function isWorthAsking({ status }: Completion): boolean {
  return status === "complete" || status === "cut-off";
}

function adviceFor({ status }: Completion): string {
  return status === "cut-off"
    ? "Change as little as possible: replace one declaration or one body, not the file. "
    : "";
}

function requestOf(
  { skill, seed, temperature, maxTokens, incident }: Sampling,
  messages: readonly Message[],
): Parameters<Model["complete"]>[0] {
  const purpose = { kind: "repair", skill: skill.name, incident } as const;
  return { messages, answerSchema: ANSWER_SCHEMA, temperature, seed, maxTokens, purpose };
}

async function understood(
  completion: Completion,
  sampling: Sampling,
  { editor }: Ports,
  signal: AbortSignal,
): Promise<Sampled> {
  const { status } = completion;
  if (status === "unreachable" || status === "over-budget") {
    return { status, reason: completion.reason };
  }
  if (!("text" in completion)) return { status: "no-patch", reason: completion.reason };
  const { text, reasoning, model } = completion;
  const { temperature, arm } = sampling;
  const by = { name: fitText(model.slice(0, 200)), temperature, arm, tokens: tokensOf(completion) };
  const none = (reason: string): Sampled => ({ status: "no-patch", reason, by });
  if (status !== "complete") return none(`${status}: ${completion.reason}`);
  const read = readAnswer(text, reasoning, sampling.skill.signature.name);
  return read.status === "patch"
    ? await applied(read, sampling, { by, none, editor }, signal)
    : none(read.problem);
}

async function applied(
  { edits, reason }: Extract<Read, { readonly status: "patch" }>,
  { skill, parent }: Sampling,
  {
    by,
    none,
    editor,
  }: Pick<Ports, "editor"> & {
    readonly by: Author;
    readonly none: (reason: string) => Sampled;
  },
  signal: AbortSignal,
): Promise<Sampled> {
  const { language, source, signature } = skill;
  const before = { text: source, language, entry: signature.name };
  const edited = await editor.apply(before, edits, signal);
  if (edited.status === "refused") return none(edited.reason);
  if (edited.text.length > LARGEST_SOURCE_BYTES) {
    return none(`it is longer than ${LARGEST_SOURCE_BYTES} bytes`);
  }
  const inspected = await editor.inspect({ ...before, text: edited.text }, signal);
  if (inspected.status === "unsound") {
    const problems = inspected.problems.map(({ line, message }) => `line ${line}: ${message}`);
    return none(problems.join("; "));
  }
  const { digest, program } = inspected;
  if (digest === skill.digest) return none("it changes nothing");
  const made = { edits, reason, source: edited.text, program, digest };
  return { status: "patch", sample: { ...made, by, parent } };
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}\n(cut)` : text;
}
