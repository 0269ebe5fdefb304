import type { Meter, ModelState } from "../../ports/model.ts";
import { createClient, type Client } from "./client.ts";
import { waitingFor } from "./deadline.ts";
import { findEndpoint, type Found, type Place } from "./find-endpoint.ts";
import { waitWhileLoading } from "./loading.ts";
import { probe, type Probed, type Subject } from "./probe.ts";
import { isRecent, recall, remember, type Notes } from "./remembered-card.ts";
import type { Exchange } from "./wire.ts";

/** What the requests to an endpoint go by. */
export type Known =
  | { readonly status: "known"; readonly subject: Subject; readonly probed: Probed }
  | { readonly status: "loading" | "unreachable" | "unusable"; readonly reason: string };

export type KnowledgeOptions = {
  readonly places: readonly Place[];
  /** The model's name; empty: the first that is listed. */
  readonly name: string;
  readonly key: string | null;
  readonly exchange: Exchange;
  readonly notes: Notes;
  readonly now: () => number;
  /** Time that a model may take to be loaded. */
  readonly loadingMs: number;
  /** Time for one completion. */
  readonly timeoutMs: number;
  /** Counts the requests of the probe; absent: they are in no budget. */
  readonly meter?: Meter;
};

/** What is known of an endpoint: found out once, by whoever asks first, and shared. */
export type Knowledge = Disposable & {
  readonly know: (signal: AbortSignal) => Promise<Known>;
  /** The next to ask looks at the endpoint again; what was probed is remembered. */
  readonly doubt: () => void;
  /** What was probed has turned out to be different. */
  readonly correct: (subject: Subject, probed: Probed) => void;
  readonly state: (signal: AbortSignal) => Promise<ModelState>;
};

/** Time for a look, and for one that somebody at a terminal waits for. */
const LOOK_MS = 10_000;
const GLANCE_MS = 2_500;

export function createKnowledge(options: KnowledgeOptions): Knowledge {
  const { places, name, exchange, key, notes, now } = options;
  const lifetime = new AbortController();
  const clients = new Map<string, Client>();
  let shared: Promise<Known> | null = null;
  /** Why a server that is there is of no use; empty: it is, as far as is known. */
  let trouble = "";
  const clientFor = ({ baseUrl, getsKey }: Place): Client => {
    const made = clients.get(baseUrl);
    if (made !== undefined) return made;
    const client = createClient(baseUrl, { exchange, key: getsKey ? key : null, now });
    clients.set(baseUrl, client);
    return client;
  };
  const look = async (limitMs: number, signal: AbortSignal): Promise<Found> =>
    await findEndpoint(places, { name, clientFor, limitMs }, signal);
  const learning = async (): Promise<Known> => {
    try {
      const known = await learn(look, options, lifetime.signal);
      if (known.status !== "known") shared = null;
      trouble = known.status === "unusable" ? known.reason : "";
      return known;
    } catch (thrown) {
      shared = null;
      if (!lifetime.signal.aborted) throw thrown;
      return { status: "unreachable", reason: "the model is closed" };
    }
  };
  return {
    async know(signal) {
      const known = await waitingFor((shared ??= learning()), signal);
      if (known.status !== "known" || isRecent(known.probed, now())) return known;
      shared = null;
      return await waitingFor((shared ??= learning()), signal);
    },
    doubt() {
      shared = null;
    },
    correct(subject, probed) {
      remember(notes, subject, probed);
      shared = Promise.resolve({ status: "known", subject, probed });
    },
    async state(signal) {
      const found = await look(GLANCE_MS, signal);
      if (found.status === "loading") return { status: "loading", reason: found.reason };
      if (found.status !== "found") return { status: "llm_unreachable", reason: found.reason };
      if (trouble !== "") return { status: "llm_unreachable", reason: trouble };
      return { status: "ready", endpoint: found.place.baseUrl, model: found.model };
    },
    [Symbol.dispose]() {
      lifetime.abort(new Error("the model is not used any more"));
    },
  };
}

/** Finds the endpoint, waits while it loads, and probes its model unless that was done within a day. */
async function learn(
  look: (limitMs: number, signal: AbortSignal) => Promise<Found>,
  options: KnowledgeOptions,
  signal: AbortSignal,
): Promise<Known> {
  const { notes, now, loadingMs } = options;
  const found = await waitWhileLoading(
    async () => await look(LOOK_MS, signal),
    { isLoading: ({ status }) => status === "loading", now, limitMs: loadingMs },
    signal,
  );
  if (found.status !== "found") return found;
  const { client, place, model, entry } = found;
  const subject: Subject = { client, baseUrl: place.baseUrl, model, entry };
  const recalled = recall(notes, subject, now());
  if (recalled !== null) return { status: "known", subject, probed: recalled };
  const result = await probe(subject, options, signal);
  if (result.status !== "probed") {
    return { status: result.status, reason: `${place.baseUrl}: ${result.reason}` };
  }
  remember(notes, subject, result.probed);
  return { status: "known", subject, probed: result.probed };
}
