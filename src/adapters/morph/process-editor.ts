import { HoneError } from "../../domain/errors.ts";
import type { EditorReply, EditorVerb } from "../../editor/protocol.ts";
import type { Editor } from "../../ports/editor.ts";
import { EditorChild, type ChildSettings, type Errand } from "./editor-child.ts";

/** Requests after which a process is replaced: no syntax tree lives for ever. */
const REQUESTS_PER_PROCESS = 500;

export type EditorSettings = {
  /** Resident memory, in MB, above which a process is replaced. */
  readonly memoryMb?: number;
  /** Longest time for one request, in milliseconds. */
  readonly deadlineMs?: number;
  /** Time without a request after which the process is ended, in milliseconds. */
  readonly idleMs?: number;
};

type OwnerSettings = ChildSettings & { readonly idleMs: number };

/** The editor, and the process that it has just now. */
export type ProcessEditor = Editor & { readonly pid: number | undefined };

/**
 * An editor in a process of its own, started with the first request. It is replaced after a number
 * of requests, above its memory limit, and when it is lost, and ended when it is idle for long. The request that a process was lost
 * with rejects with `editor-failed`; those behind it go to the next process.
 */
export function createEditor(settings: EditorSettings = {}): ProcessEditor {
  const owner = new Owner({
    memoryMb: settings.memoryMb ?? 640,
    deadlineMs: settings.deadlineMs ?? 60_000,
    idleMs: settings.idleMs ?? 120_000,
  });
  const asks =
    <V extends EditorVerb>(verb: V) =>
    (...given: readonly unknown[]): ReturnType<Editor[V]> =>
      owner.ask(verb, given) as ReturnType<Editor[V]>;
  return {
    inspect: asks("inspect"),
    apply: asks("apply"),
    newTypeErrors: asks("newTypeErrors"),
    literals: asks("literals"),
    policyFindings: asks("policyFindings"),
    instrument: asks("instrument"),
    enumerate: asks("enumerate"),
    variants: asks("variants"),
    watchPatterns: asks("watchPatterns"),
    patternHoles: asks("patternHoles"),
    patternChanges: asks("patternChanges"),
    syntaxRepairs: asks("syntaxRepairs"),
    probe: asks("probe"),
    synthesise: asks("synthesise"),
    driftEdits: asks("driftEdits"),
    get pid() {
      return owner.pid;
    },
    [Symbol.asyncDispose]: () => owner.dispose(),
  };
}

/** Owns the process at work, and processes that finish their last errands. */
class Owner {
  readonly #settings: OwnerSettings;
  readonly #ending = new Set<EditorChild>();
  readonly #gone: PromiseWithResolvers<void>[] = [];
  #child: EditorChild | null = null;
  #idle: NodeJS.Timeout | undefined;
  #served = 0;
  #nextId = 0;
  #isDisposed = false;

  constructor(settings: OwnerSettings) {
    this.#settings = settings;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The signal stands last; an aborted request rejects at once, and its answer is dropped. */
  ask(verb: EditorVerb, given: readonly unknown[]): Promise<unknown> {
    const signal = given.at(-1) as AbortSignal;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.#isDisposed) return Promise.reject(failure("it is disposed"));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const settled = (): void => signal.removeEventListener("abort", abort);
    const request = { id: (this.#nextId += 1), verb, args: given.slice(0, -1) };
    this.#send({
      request,
      resolve: (value) => {
        settled();
        resolve(value);
      },
      reject: (error) => {
        settled();
        reject(error);
      },
    });
    return promise;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#idle);
    const children = [...this.#ending, ...(this.#child === null ? [] : [this.#child])];
    if (children.length === 0) return;
    const gone = Promise.withResolvers<void>();
    this.#gone.push(gone);
    for (const child of children) child.kill("it is disposed");
    await gone.promise;
  }

  #send(errand: Errand): void {
    clearTimeout(this.#idle);
    this.#child ??= this.#start();
    this.#child.send(errand);
  }

  #start(): EditorChild {
    this.#served = 0;
    const child: EditorChild = new EditorChild(this.#settings, {
      replied: (reply) => this.#renew(child, reply),
      lost: (left, reason) => this.#lost(child, left, reason),
    });
    this.#ending.add(child);
    return child;
  }

  /** A process that has served its time finishes what it has taken; new requests get a new one. */
  #renew(child: EditorChild, { rssBytes }: EditorReply): void {
    this.#served += 1;
    const isSpent =
      this.#served >= REQUESTS_PER_PROCESS || rssBytes > this.#settings.memoryMb * 1_048_576;
    if (child === this.#child && isSpent) this.#child = null;
    if (child.busy > 0) return;
    if (child !== this.#child) child.kill("it is replaced");
    else this.#idle = setTimeout(() => this.#rest(child), this.#settings.idleMs).unref();
  }

  /** Warm libraries are worth their memory only while there is work. */
  #rest(child: EditorChild): void {
    if (child === this.#child) this.#child = null;
    child.kill("it had nothing to do");
  }

  #lost(child: EditorChild, left: readonly Errand[], reason: string): void {
    this.#ending.delete(child);
    if (child === this.#child) this.#child = null;
    const [atWork, ...waiting] = left;
    atWork?.reject(failure(reason));
    for (const errand of waiting) {
      if (this.#isDisposed) errand.reject(failure(reason));
      else this.#send(errand);
    }
    if (this.#ending.size === 0) for (const gone of this.#gone) gone.resolve();
  }
}

function failure(reason: string): HoneError {
  return new HoneError("editor-failed", `The editor process was lost: ${reason}.`, {
    hint: "It starts again with the next request; if this repeats, look at the source it was given.",
    retryable: true,
  });
}
