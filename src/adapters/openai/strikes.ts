import type { Asked } from "./client.ts";
import { blamesOutput, isTooLong } from "./outcome.ts";
import type { Probed } from "./probe.ts";
import { weaker } from "./structured.ts";

/** Counts failures over the shape that was asked for; see `createStrikes`. */
export type Strikes = {
  /** What to go by from now on, where the shape has failed too often; null: as before. */
  readonly note: (asked: Asked, probed: Probed) => Probed | null;
};

/** Strikes after which a weaker way is taken. */
const OUT = 2;

/** An answer takes back a quarter of one: a few failures in a hundred change nothing. */
const GOOD_ANSWER = -0.25;

/**
 * Gives up a way to ask for JSON that a server accepts for a tiny schema and fails over for real
 * ones: at once where a request is refused for it, after two where the server fails over its output.
 */
export function createStrikes(): Strikes {
  let strikes = 0;
  return {
    note(asked, probed) {
      if (probed.structured.mode === "text") return null;
      strikes = Math.max(0, strikes + strikesOf(asked));
      if (strikes < OUT) return null;
      strikes = 0;
      return weakened(probed);
    },
  };
}

function strikesOf(asked: Asked): number {
  if (asked.status === "answered") return GOOD_ANSWER;
  if (asked.status === "failed" || isTooLong(asked) || !blamesOutput(asked)) return 0;
  if (asked.code === 400 || asked.code === 422) return OUT;
  return asked.code === 500 ? 1 : 0;
}

function weakened({ card, structured, countsCached }: Probed): Probed {
  const next = weaker(structured);
  const sentence = `The server fails over answers as ${structured.mode}; hone asks for ${next.mode} until it probes again. A newer version of the server may keep it.`;
  return {
    structured: next,
    countsCached,
    card: { ...card, mode: next.mode, degraded: [...card.degraded, sentence] },
  };
}
