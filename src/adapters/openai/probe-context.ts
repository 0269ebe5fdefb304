import type { Asked } from "./client.ts";
import { markerPrompt, type ProbeAsk } from "./probe-prompts.ts";
import { answerIn, type Answer } from "./read-answer.ts";

/** What was found out about an endpoint's context. */
export type ProbedContext = {
  /** Tokens that fit, prompt and answer together. */
  readonly tokens: number;
  readonly tokensPerCharacter: number;
  /** `cut`: what does not fit is left out without a word. `unproven`: nothing decided it. */
  readonly finding: "whole" | "cut" | "refused" | "unproven";
  /** Whether the start of the longest whole prompt was found again; null: the model cannot tell. */
  readonly isMarkerFound: boolean | null;
};

/** Characters of the prompt that tells how the server counts. */
const SHORT = 3_200;

/** Tokens of the long prompt: twice the 4,096 that servers cut at unasked. */
const LONG_TOKENS = 8_000;

/** Tokens of a second one, where no context is told and the first was read quickly. */
const LONGER_TOKENS = 24_000;
const QUICK_MS = 10_000;

/** Tokens of a second one, where the first did not fit and nothing says by how much. */
const SHORTER_TOKENS = 3_000;

/** Tokens per character where the server does not count: few write more. */
const USUAL_RATIO = 0.4;

/** Tokens of context that every server has. */
const LEAST_TOKENS = 1_024;

const MARKER = "walnut";

/** A model that reasons does it before this one word, too. */
const TOKENS = 256;

/** The share of a prompt's tokens that is counted where all of it was read: texts differ a little. */
const WHOLE = 0.85;

/**
 * How long prompts may be, by a word at the start of a long one and by how the server counts it.
 * A told context is believed where it is longer than what is tried. At most three requests with
 * 33,000 tokens.
 */
export async function probeContext(
  ask: ProbeAsk,
  {
    told,
    countsCached,
    now,
  }: {
    /** What the server says; null: nothing. */
    readonly told: number | null;
    /** The prompts begin alike: a count without what was cached tells nothing of a cut. */
    readonly countsCached: boolean;
    readonly now: () => number;
  },
): Promise<ProbedContext> {
  const asked = await ask(markerPrompt(MARKER, SHORT), TOKENS);
  const tiny = limitIn(asked);
  if (tiny !== null) return unmeasured("refused", tiny);
  const short = answerIn(asked);
  const ratio = believable(short?.usage ? short.usage.prompt / SHORT : null);
  const measure = { ratio, countsCached, canTell: isMarkerIn(short) };
  const started = now();
  const room = Math.floor((told ?? Number.POSITIVE_INFINITY) * 0.9) - TOKENS;
  const first = await tryTokens(ask, Math.min(LONG_TOKENS, room), measure);
  if (told !== null)
    return { ...first, tokens: isShort(first) ? Math.min(first.tokens, told) : told };
  if (first.finding !== "whole" && first.tokens > LEAST_TOKENS) return first;
  if (first.finding === "whole" && now() - started > QUICK_MS) return first;
  const isWhole = first.finding === "whole";
  const second = await tryTokens(ask, isWhole ? LONGER_TOKENS : SHORTER_TOKENS, measure);
  if (second.finding !== "whole" && second.tokens <= first.tokens) return first;
  // What is cut or refused of a longer prompt stays so, though a shorter one fits.
  return isWhole ? second : { ...second, finding: first.finding };
}

function isShort({ finding }: ProbedContext): boolean {
  return finding === "cut" || finding === "refused";
}

type Measure = {
  /** Tokens per character; null: the server does not count. */
  readonly ratio: number | null;
  readonly countsCached: boolean;
  /** Whether the model finds the marker in a short prompt. */
  readonly canTell: boolean;
};

/** Tokens per character as a tokenizer has them; what counts otherwise does not count. */
function believable(ratio: number | null): number | null {
  return ratio !== null && ratio >= 0.05 && ratio <= 2 ? ratio : null;
}

async function tryTokens(
  ask: ProbeAsk,
  tokens: number,
  { ratio, countsCached, canTell }: Measure,
): Promise<ProbedContext> {
  const characters = Math.floor(tokens / (ratio ?? USUAL_RATIO));
  const asked = await ask(markerPrompt(MARKER, characters), TOKENS);
  const answer = answerIn(asked);
  if (answer === null) {
    const limit = limitIn(asked);
    const refused = unmeasured(limit === null ? "unproven" : "refused", limit ?? LEAST_TOKENS);
    return { ...refused, tokensPerCharacter: ratio ?? USUAL_RATIO };
  }
  const isMarkerFound = canTell ? isMarkerIn(answer) : null;
  if (answer.usage === null || ratio === null || !countsCached) {
    return { ...byMarker(tokens, isMarkerFound), tokensPerCharacter: ratio ?? USUAL_RATIO };
  }
  const counted = answer.usage.prompt;
  const isWhole = counted >= tokens * WHOLE || isMarkerFound === true;
  return {
    tokens: isWhole ? tokens + TOKENS : counted,
    tokensPerCharacter: (isWhole ? believable(counted / characters) : null) ?? ratio,
    finding: isWhole ? "whole" : "cut",
    isMarkerFound,
  };
}

/** Where nothing is counted, the marker alone tells. */
function byMarker(tokens: number, isMarkerFound: boolean | null): ProbedContext {
  switch (isMarkerFound) {
    case true:
      return { ...unmeasured("whole", tokens + TOKENS), isMarkerFound };
    case false:
      return { ...unmeasured("cut", LEAST_TOKENS), isMarkerFound };
    case null:
      return unmeasured("unproven", LEAST_TOKENS);
  }
}

function unmeasured(finding: ProbedContext["finding"], tokens: number): ProbedContext {
  return { tokens, tokensPerCharacter: USUAL_RATIO, finding, isMarkerFound: null };
}

function isMarkerIn(answer: Answer | null): boolean {
  const [choice] = answer?.choices ?? [];
  return (
    choice !== undefined && `${choice.text} ${choice.reasoning}`.toLowerCase().includes(MARKER)
  );
}

/** The context that a refusal names, in the words of vLLM, llama.cpp, SGLang and llama-cpp-python. */
export function limitIn(asked: Asked): number | null {
  if (asked.status !== "refused") return null;
  const named =
    /(?:context (?:length|window|size)[^\d]{0,40}|n_ctx[^\d]{0,10}|available context size \()(\d{3,7})/i.exec(
      asked.message,
    );
  return named === null ? null : Number(named[1]);
}
