/** What model calls have cost, or may cost. Seconds are those during which a call was under way. */
export type Cost = {
  readonly requests: number;
  readonly tokens: number;
  readonly seconds: number;
};

/** Hard caps: of one incident in all, and of everything within a day. */
export type Caps = { readonly incident: Cost; readonly day: Cost };

/** The day of a budget, in milliseconds: it moves along, so that no midnight frees all at once. */
export const DAY_MS = 86_400_000;

/** A call of a model, as the ledger keeps it. */
export type ModelCall = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: string;
  readonly skill: string;
  readonly incident: string | null;
  readonly model: string;
  /** Tokens set aside for it, until what it took is known. */
  readonly reserved: number;
  /** Time set aside for it, in milliseconds, likewise. */
  readonly reservedMs: number;
};

/** What a call took, once it came back. */
export type ModelCallEnd = {
  readonly status: string;
  readonly durationMs: number;
  /** Null where the server did not count: what was set aside stays spent. */
  readonly tokens: {
    readonly prompt: number;
    readonly completion: number;
    readonly cached: number;
  } | null;
};

/** The caps that one request more would overstep, each as a sentence; empty: none. */
export function overstepped(
  spent: { readonly incident: Cost | null; readonly day: Cost },
  caps: Caps,
  wanted: Pick<Cost, "tokens" | "seconds">,
): readonly string[] {
  const { incident, day } = spent;
  return [
    ...(incident === null ? [] : wordsFor("this incident", incident, caps.incident, wanted)),
    ...wordsFor("the day", day, caps.day, wanted),
  ];
}

// oxlint-disable-next-line max-params
function wordsFor(
  of: string,
  spent: Cost,
  cap: Cost,
  { tokens, seconds }: Pick<Cost, "tokens" | "seconds">,
): readonly string[] {
  return [
    spent.requests + 1 > cap.requests ? `${of} has had its ${cap.requests} requests` : null,
    spent.tokens + tokens > cap.tokens
      ? `${of} has ${Math.max(0, cap.tokens - spent.tokens)} of its ${cap.tokens} tokens left, and ${tokens} may be needed`
      : null,
    spent.seconds >= cap.seconds || spent.seconds + seconds > cap.seconds
      ? `${of} has ${Math.max(0, Math.floor(cap.seconds - spent.seconds))} of its ${cap.seconds} seconds left, and ${Math.ceil(seconds)} may be needed`
      : null,
  ].filter((words) => words !== null);
}
