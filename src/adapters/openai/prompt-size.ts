import type { CompletionRequest } from "../../domain/completion.ts";
import type { ModelCard } from "../../domain/model-card.ts";

/** A prompt's size in tokens, as far as it can be known before it is sent. */
export type PromptSize = {
  readonly estimate: number;
  /** Fewer than these the server cannot have read, if it read all. */
  readonly least: number;
};

/** Tokens that a chat template adds to each message. */
const TEMPLATE_TOKENS = 8;

/** Share of the estimate that texts of all kinds reach, once blanks and repetitions are left out. */
const LEAST_SHARE = 0.7;

/** Below it, a template's own tokens and the kind of text say more than a cut. */
const LEAST_TOLD = 400;

/** Tokens of an answer below which it is not worth asking. */
const SHORTEST_ANSWER = 256;

/** The size of a prompt, by the tokens per character that the probe found. */
export function promptSize(
  { messages }: Pick<CompletionRequest, "messages">,
  { tokensPerCharacter }: Pick<ModelCard, "tokensPerCharacter">,
): PromptSize {
  const sum = (lengthOf: (text: string) => number): number =>
    messages.reduce((total, { content }) => total + lengthOf(content), 0) * tokensPerCharacter;
  const estimate = Math.ceil(sum(({ length }) => length)) + TEMPLATE_TOKENS * messages.length;
  const least = Math.floor(sum(plainLength) * LEAST_SHARE);
  return { estimate, least: least < LEAST_TOLD ? 0 : least };
}

/**
 * Tokens that an answer may have so that all fits into the context; null: too few. The estimate may
 * be short of the truth by a little.
 */
export function answerRoom(
  { estimate }: PromptSize,
  { contextTokens }: Pick<ModelCard, "contextTokens">,
  maxTokens: number,
): number | null {
  const room = contextTokens - Math.ceil(estimate * 1.05);
  return room < Math.min(maxTokens, SHORTEST_ANSWER) ? null : Math.min(maxTokens, room);
}

/** Characters with runs of blanks counted as one, and runs of another character as four: tokenizers merge them. */
function plainLength(text: string): number {
  let length = 0;
  let run = 0;
  let last = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const plain = code <= BLANK ? BLANK : code;
    run = plain === last ? run + 1 : 0;
    last = plain;
    if (run === 0 || (run < 4 && plain !== BLANK)) length += 1;
  }
  return length;
}

/** The space; tabs and line ends come before it in ASCII. */
const BLANK = 0x20;
