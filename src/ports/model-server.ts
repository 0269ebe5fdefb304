/** Where a started server is found again by a process that did not start it. */
export type ServerPlace =
  /** `startedAt` tells a process from a later one of the same id. */
  | { readonly kind: "process"; readonly pid: number; readonly startedAt: string }
  | { readonly kind: "container"; readonly id: string };

/** A server that was started and may still be loading its weights. */
export type StartedServer = {
  readonly place: ServerPlace;
  /** Resolves when it has ended by itself, with how; never rejects. */
  readonly ended: Promise<string>;
};

/**
 * Starts and ends a model server. Contract: after `stop` nothing of what was started at that place
 * is left, whoever started it; stopping what is not there is no error.
 */
export interface ModelServer {
  /** Resolves when it was started. Throws a HoneError with what is missing. */
  start(signal: AbortSignal): Promise<StartedServer>;
  /** Asks it to end, and kills it with all that it has started when it does not. */
  stop(place: ServerPlace): Promise<void>;
  /** Whether anything of it is left. */
  isThere(place: ServerPlace): Promise<boolean>;
}

/** What a server's address answers. */
export type Answering =
  /** `models` are the names it lists; empty: it asks for a key. */
  | { readonly status: "ready"; readonly models: readonly string[] }
  /** `silent`: it takes connections and says nothing of use; `absent`: nobody takes them. */
  | { readonly status: "loading" | "silent" | "absent"; readonly reason: string };

/** Asks a server whether it is ready. Never throws. */
export type AskHealth = (baseUrl: string) => Promise<Answering>;
