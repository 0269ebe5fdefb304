import { setTimeout as pause } from "node:timers/promises";
import { HoneError } from "../../domain/errors.ts";
import type {
  AskHealth,
  ModelServer,
  ServerPlace,
  StartedServer,
} from "../../ports/model-server.ts";
import type { ModelRecord } from "./model-record.ts";

/** What a supervisor reports: a record without who it is. */
type ModelNews = Omit<ModelRecord, "supervisor" | "url" | "since">;

export type Supervision = {
  readonly server: ModelServer;
  readonly askHealth: AskHealth;
  readonly url: string;
  /** Time for a start until it is ready, in milliseconds. */
  readonly loadMs: number;
  readonly report: (news: ModelNews) => Promise<void>;
  readonly pace?: Pace;
};

/** In milliseconds. */
type Pace = {
  /** Between two questions while it loads, and while it serves. */
  readonly loadingEvery: number;
  readonly servingEvery: number;
  /** The pause before the first restart, which doubles up to the longest. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** A server that has served for so long is not suspected any more. */
  readonly soundAfter: number;
};

const PACE: Pace = {
  loadingEvery: 500,
  servingEvery: 15_000,
  firstPause: 1_000,
  longestPause: 60_000,
  soundAfter: 60_000,
};

/** Questions without an answer in a row after which a server hangs: 15 s apart, it may be at work. */
const MOST_SILENCES = 8;

/**
 * Keeps a model server running until the signal: starts it, waits for its weights, and starts it
 * again with growing pauses when it ends or hangs. A server that never became ready is not started
 * again: what it lacks does not come by waiting. Resolves with nothing of it left: `stopped` after the
 * signal, else `failed`.
 */
export async function superviseModel(
  supervision: Supervision,
  signal: AbortSignal,
): Promise<"stopped" | "failed"> {
  const pace = supervision.pace ?? PACE;
  const { report } = supervision;
  const told: ModelNews = {
    phase: "starting",
    place: null,
    models: [],
    restarts: 0,
    reason: "",
  };
  for (let restarts = 0, failures = 0; ; restarts += 1) {
    const life = await oneLife(supervision, { ...told, restarts }, pace, signal);
    if (signal.aborted) return "stopped";
    const { reason, servedMs } = life;
    if (restarts === 0 && servedMs === null) {
      await report({ ...told, phase: "failed", reason });
      return "failed";
    }
    failures = (servedMs ?? 0) >= pace.soundAfter ? 0 : failures + 1;
    await report({ ...told, phase: "pausing", restarts, reason });
    const ms = Math.min(pace.longestPause, pace.firstPause * 2 ** Math.max(0, failures - 1));
    await unlessAborted(ms, signal);
    if (signal.aborted) return "stopped";
  }
}

type Life = {
  /** How it ended. */
  readonly reason: string;
  /** How long it was ready, in milliseconds; null: it never was. */
  readonly servedMs: number | null;
};

/** One start of the server up to its end; nothing of it is left then. */
async function oneLife(
  supervision: Supervision,
  told: ModelNews,
  pace: Pace,
  signal: AbortSignal,
): Promise<Life> {
  const { server, askHealth, url, loadMs, report } = supervision;
  await report(told);
  const before = await askHealth(url);
  if (before.status !== "absent") {
    return { reason: `something else listens at ${url} already`, servedMs: null };
  }
  let place: ServerPlace | null = null;
  try {
    const started = await server.start(signal);
    place = started.place;
    await report({ ...told, place });
    const ended = new AbortController();
    void started.ended.then((how) => ended.abort(how));
    const over = AbortSignal.any([signal, ended.signal]);
    const models = await untilReady(supervision, { pace, endsAt: Date.now() + loadMs, over });
    if (models === null) {
      const late = `it was not ready within ${Math.round(loadMs / 1_000)} s`;
      return { reason: over.aborted ? await howOf(started, signal) : late, servedMs: null };
    }
    await report({ ...told, phase: "ready", place, models });
    const readyAt = Date.now();
    const hang = await untilSilent(supervision, pace, over);
    const reason = hang ?? (await howOf(started, signal));
    return { reason, servedMs: Date.now() - readyAt };
  } catch (thrown) {
    if (!(thrown instanceof HoneError)) throw thrown;
    return { reason: thrown.message, servedMs: null };
  } finally {
    if (place !== null) await server.stop(place);
  }
}

async function howOf(started: StartedServer, signal: AbortSignal): Promise<string> {
  return signal.aborted ? "it was told to stop" : await started.ended;
}

/** The names of its models once it is ready; null: it ended, or it takes too long. */
async function untilReady(
  { askHealth, url }: Supervision,
  {
    pace,
    endsAt,
    over,
  }: { readonly pace: Pace; readonly endsAt: number; readonly over: AbortSignal },
): Promise<readonly string[] | null> {
  while (!over.aborted && Date.now() < endsAt) {
    const health = await askHealth(url);
    if (health.status === "ready" && !over.aborted) return health.models;
    await unlessAborted(pace.loadingEvery, over);
  }
  return null;
}

/** Resolves when it hangs, with a sentence, or with null once it is over. */
async function untilSilent(
  { askHealth, url }: Supervision,
  pace: Pace,
  over: AbortSignal,
): Promise<string | null> {
  for (let silences = 0; ;) {
    await unlessAborted(pace.servingEvery, over);
    if (over.aborted) return null;
    const health = await askHealth(url);
    silences = health.status === "ready" ? 0 : silences + 1;
    if (silences >= MOST_SILENCES && health.status !== "ready") {
      return `it does not answer any more: ${health.reason}`;
    }
  }
}

/** Waits, or less where the signal comes. */
async function unlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
