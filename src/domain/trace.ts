import type { Json } from "./json.ts";
import type { CapabilityName } from "./skill.ts";

/** What a guest asks of the host: plain data, queued until it is quiescent. */
export type Request = {
  readonly id: number;
  /** `fetch`, `kv.get`, `kv.set`, `kv.delete`, `kv.list`, `timer`, `skills.call`. */
  readonly kind: string;
  readonly args: Json;
};

export type Answer =
  | { readonly id: number; readonly status: "resolved"; readonly value: Json }
  | {
      readonly id: number;
      readonly status: "rejected";
      readonly name: string;
      readonly message: string;
      /** `denied` by the manifest, `unrecorded` in a replay, or a `network` fault of the world. */
      readonly cause: "denied" | "unrecorded" | "network" | "failed";
    };

/** The value that a fetch request resolves with. */
export type FetchAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly url: string;
  readonly redirected: boolean;
};

/** Whether an answer only says to ask again later: 429, or 503 with `Retry-After` (RFC 9110, 6585). */
export function isComeBackLater({
  status,
  headers,
}: Pick<FetchAnswer, "status" | "headers">): boolean {
  return status === 429 || (status === 503 && "retry-after" in headers);
}

/** One resumption of the guest: what it had asked since the last, and what it was told. */
export type Step = {
  readonly requests: readonly Request[];
  readonly answers: readonly Answer[];
  /** The run's clock at this resumption, in milliseconds since the epoch. */
  readonly now: number;
};

/** What a run's clock and random numbers start from. */
export type Environment = { readonly now: number; readonly seed: number };

export type LogLine = {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly text: string;
};

/** Durations in milliseconds, memory in bytes. */
export type Usage = { readonly wallMs: number; readonly cpuMs: number; readonly heapBytes: number };

/** What became of one call. Each member is an answer about the guest; none is an error of ours. */
export type Outcome =
  | { readonly status: "returned"; readonly value: Json }
  | { readonly status: "threw"; readonly error: ThrownError }
  /** A result that JSON cannot carry; `path` as in `result.items[2]`. */
  | { readonly status: "bad-result"; readonly path: string; readonly reason: string }
  | { readonly status: "timed-out"; readonly afterMs: number }
  /** The promise was still pending when nothing was left that could settle it. */
  | { readonly status: "never-settled" }
  | { readonly status: "out-of-memory" }
  /** The program as a whole could not be loaded. */
  | { readonly status: "not-loaded"; readonly error: ThrownError }
  /** A promise was rejected and nobody looked; the run is void. */
  | { readonly status: "unhandled-rejection"; readonly error: ThrownError }
  /** The guest process died of a signal, twice. */
  | { readonly status: "crashed"; readonly reason: string };

/** Whether it would go on for ever: whether time or memory is spent first is a matter of chance. */
export function isEndless(outcome: Outcome | null): boolean {
  return outcome?.status === "timed-out" || outcome?.status === "out-of-memory";
}

export type ThrownError = {
  readonly name: string;
  readonly message: string;
  /** Positions in the program, innermost first; lines and columns count from 1. */
  readonly frames: readonly {
    readonly function: string;
    readonly line: number;
    readonly column: number;
  }[];
};

/** What happened in one call, complete enough to replay it offline, bit for bit. */
export type Trace = {
  readonly environment: Environment;
  readonly grants: readonly CapabilityName[];
  readonly steps: readonly Step[];
  readonly logs: readonly LogLine[];
  readonly outcome: Outcome;
  readonly usage: Usage;
};

/** The requests of a trace with their answers, in the order in which they were asked. */
export function exchangesOf(
  trace: Pick<Trace, "steps">,
): readonly { readonly request: Request; readonly answer: Answer | undefined }[] {
  const answers = new Map(
    trace.steps.flatMap((step) => step.answers.map((answer) => [answer.id, answer] as const)),
  );
  return trace.steps.flatMap((step) =>
    step.requests.map((request) => ({ request, answer: answers.get(request.id) })),
  );
}

/**
 * Whether the run fell short because the world was out of reach: a request failed below HTTP and
 * the skill did not return. Such a run is neither scored nor an incident.
 */
export function isInfrastructureFault(trace: Trace): boolean {
  if (trace.outcome.status === "returned") return false;
  return exchangesOf(trace).some(
    ({ answer }) => answer?.status === "rejected" && answer.cause === "network",
  );
}
