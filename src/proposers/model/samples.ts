import type { Edit } from "../../domain/candidate.ts";
import type { Completion, Message } from "../../domain/completion.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import type { Editor } from "../../ports/editor.ts";
import type { Model } from "../../ports/model.ts";
import { ANSWER_SCHEMA, readAnswer } from "./answer.ts";
import { render } from "./render.ts";

/** A patch that can be made: different ones have different digests. */
export type Sample = {
  readonly edits: readonly Edit[];
  readonly reason: string;
  readonly source: string;
  readonly program: Program;
  readonly digest: string;
  readonly temperature: number;
  /** The model as its server names it. */
  readonly model: string;
};

/** What one attempt came to. */
export type Sampled =
  | { readonly status: "patch"; readonly sample: Sample }
  /** It cost an attempt: nothing usable was answered. */
  | { readonly status: "no-patch"; readonly reason: string }
  /** It says nothing of the model's answers. */
  | { readonly status: "unreachable" | "over-budget"; readonly reason: string };

export type Sampling = {
  readonly skill: Skill;
  readonly messages: readonly Message[];
  readonly seed: number;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly incident: string;
  /** The prompt of the turn in which a slip may be put right. */
  readonly again: string;
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
  const again = render(sampling.again, { problem: read.reason, advice: adviceFor(first) });
  const said = "text" in first && first.text !== "" ? first.text : "(nothing)";
  const messages: readonly Message[] = [
    ...sampling.messages,
    { role: "assistant", content: clip(said) },
    { role: "user", content: again },
  ];
  const second = await ports.model.complete(requestOf(sampling, messages), signal);
  const mended = await understood(second, sampling, ports, signal);
  return mended.status === "no-patch" ? read : mended;
}

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
  { skill, temperature }: Sampling,
  { editor }: Ports,
  signal: AbortSignal,
): Promise<Sampled> {
  const { status } = completion;
  if (status === "unreachable" || status === "over-budget") {
    return { status, reason: completion.reason };
  }
  if (!("text" in completion)) return { status: "no-patch", reason: completion.reason };
  if (status !== "complete")
    return { status: "no-patch", reason: `${status}: ${completion.reason}` };
  const { text, reasoning, model } = completion;
  const read = readAnswer(text, reasoning, skill.signature.name);
  if (read.status === "no-patch") return { status: "no-patch", reason: read.problem };
  const { language, source, signature } = skill;
  const before = { text: source, language, entry: signature.name };
  const edited = await editor.apply(before, read.edits, signal);
  if (edited.status === "refused") return { status: "no-patch", reason: edited.reason };
  const inspected = await editor.inspect({ ...before, text: edited.text }, signal);
  if (inspected.status === "unsound") {
    const problems = inspected.problems.map(({ line, message }) => `line ${line}: ${message}`);
    return { status: "no-patch", reason: problems.join("; ") };
  }
  const { digest, program } = inspected;
  if (digest === skill.digest) return { status: "no-patch", reason: "it changes nothing" };
  const { edits, reason } = read;
  const sample = { edits, reason, source: edited.text, program, digest, temperature, model };
  return { status: "patch", sample };
}

/** Of what was said, as much as is worth saying again. */
function clip(text: string): string {
  return text.length > 6_000 ? `${text.slice(0, 6_000)}\n(cut)` : text;
}
