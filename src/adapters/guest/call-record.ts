import { sameJson } from "../../domain/json.ts";
import type { Request, Step } from "../../domain/trace.ts";
import type { Call, Delivery } from "../../ports/sandbox.ts";

/**
 * The steps of one call, as its host told them. A second run of the same call is answered from the
 * record of the first for as long as it asks the same, and by the host from there on: no effect on
 * the world is repeated.
 */
export class CallRecord {
  readonly call: Call;
  readonly #told: readonly Step[];
  readonly #steps: Step[] = [];
  #open: readonly Request[] = [];
  #now: number;
  #hasDiverged = false;

  constructor(call: Call, earlier: CallRecord | null = null) {
    this.call = call;
    this.#told = earlier?.answered ?? [];
    this.#now = call.environment.now;
  }

  /** The steps that were told, without what was asked and not answered. */
  get answered(): readonly Step[] {
    return this.#steps;
  }

  /** The steps, the last of them without answers where the guest was still waiting. */
  get steps(): readonly Step[] {
    if (this.#open.length === 0) return [...this.#steps];
    return [...this.#steps, { requests: this.#open, answers: [], now: this.#now }];
  }

  /** A second run asked something else than the first: it says nothing about the first. */
  get hasDiverged(): boolean {
    return this.#hasDiverged;
  }

  /** The delivery that answers these requests. Rejects as the call's host does. */
  async next(requests: readonly Request[], signal: AbortSignal): Promise<Delivery> {
    this.#open = requests;
    const { answers, now } = this.#toldBefore(requests) ?? (await this.#ask(requests, signal));
    this.#open = [];
    this.#now = now;
    this.#steps.push({ requests, answers, now });
    return { answers, now };
  }

  #toldBefore(requests: readonly Request[]): Delivery | null {
    const step = this.#told[this.#steps.length];
    if (step === undefined) return null;
    if (sameJson(step.requests, requests)) return step;
    this.#hasDiverged = true;
    return { answers: [], now: step.now };
  }

  #ask(requests: readonly Request[], signal: AbortSignal): Promise<Delivery> {
    return this.call.host.next(requests, signal);
  }
}
