import type { Operations } from "../../src/ports/operations.ts";

export type Verb = keyof Operations;

/** Why the daemon did not do what it was asked; `status` 0: it could not be reached. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly hint: string;

  constructor(message: string, status: number, hint = "") {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** A problem as RFC 9457 has it, with hone's hint. */
type Problem = {
  readonly title?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly error?: { readonly message?: string; readonly hint?: string };
};

/** Asks the daemon for one of its verbs. Rejects with a `Refusal`. */
export async function ask<T>(verb: Verb, body: object = {}, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`/v1/${verb}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause;
    throw new Refusal("The daemon cannot be reached.", 0, "Start it with `hone run`.");
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw refusalOf(answer as Problem | null, response.status);
}

/** The session is over, or never was. */
export function signedOut(): Refusal {
  const hint = "Open the address that `hone dashboard` prints.";
  return new Refusal("This browser is not signed in.", 401, hint);
}

function refusalOf(problem: Problem | null, status: number): Refusal {
  if (status === 401) return signedOut();
  const said = problem?.detail ?? problem?.error?.message ?? problem?.title;
  const hint = problem?.hint ?? problem?.error?.hint ?? "";
  return new Refusal(said ?? `The daemon answered with HTTP ${status}.`, status, hint);
}
