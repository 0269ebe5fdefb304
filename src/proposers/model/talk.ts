import type { Message } from "../../domain/completion.ts";
import type { Ancestor, Recollection } from "../../domain/lesson.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { parentsFor } from "./archive.ts";
import { evidenceOf } from "./evidence.ts";
import { fitted } from "./fit.ts";
import { render } from "./render.ts";

/** The prompts, as they stand in `prompts/`, and the digest of all of them. */
export type Prompts = {
  readonly system: string;
  /** In the place of `system`, for a skill that is a prompt. */
  readonly words: string;
  /** In the place of `system`, for what a skill says of itself. */
  readonly definition: string;
  readonly repair: string;
  readonly again: string;
  /** By name: what a prompt may say at its end of how to go about it. */
  readonly approaches: Readonly<Record<string, string>>;
  readonly digest: string;
};

/** What the samples of a group are asked with. */
export type Talk = {
  /** Tokens of an answer at most. */
  readonly maxTokens: number;
  /** Characters of a turn in which a slip is put right. */
  readonly turn: number;
  /** Its messages, and the candidate that it is to go on from. */
  readonly samples: readonly {
    /** Its place in the group. */
    readonly at: number;
    readonly messages: readonly Message[];
    readonly parent: string | null;
  }[];
};

/** Of the context, for the turn in which a slip is put right; and tokens for it at most. */
const TURN_SHARE = 0.1;
const MOST_TURN_TOKENS = 1_500;

/**
 * The prompts of a group, within the context that the model has. They differ in their ends only: in
 * an earlier patch to go on from, and in the approach. Null where not even the source and the
 * failing case fit.
 */
export function talkFor(
  request: ProposalRequest,
  card: Pick<ModelCard, "contextTokens" | "tokensPerCharacter">,
  {
    prompts,
    settings,
    approaches,
    past,
  }: {
    readonly prompts: Prompts;
    readonly settings: { readonly maxTokens: number };
    /** Of each sample. */
    readonly approaches: readonly string[];
    readonly past: Recollection;
  },
): Talk | null {
  const { contextTokens, tokensPerCharacter } = card;
  const maxTokens = Math.min(settings.maxTokens, Math.floor(contextTokens / 2));
  const turnTokens = Math.min(MOST_TURN_TOKENS, Math.floor(contextTokens * TURN_SHARE));
  const room = (contextTokens - maxTokens - turnTokens) / tokensPerCharacter;
  const system = systemFor(request.skill, prompts);
  const longest = Math.max(0, ...approaches.map(({ length }) => length));
  const most = room - system.length - prompts.repair.length - longest;
  const messagesFor = (parent: Ancestor | null, approach: string): readonly Message[] | null => {
    const evidence = fitted(evidenceOf(request, past.lessons, parent), most);
    if (evidence === null) return null;
    return [
      { role: "system", content: system },
      { role: "user", content: render(prompts.repair, { ...evidence, approach }) },
    ];
  };
  const samples = parentsFor(past, approaches.length).flatMap((parent, at) => {
    const messages = messagesFor(parent, approaches[at] ?? "");
    return messages === null ? [] : [{ at, messages, parent: parent?.id ?? null }];
  });
  const turn = Math.floor(turnTokens / tokensPerCharacter);
  return samples.length === 0 ? null : { maxTokens, turn, samples };
}

function systemFor({ language }: ProposalRequest["skill"], prompts: Prompts): string {
  if (language === "prompt") return prompts.words;
  return language === "definition" ? prompts.definition : prompts.system;
}
