import type {
  CallResult,
  Execution,
  PoolState,
  Sandbox,
  Sifted,
  Sifting,
} from "../../ports/sandbox.ts";
import { Believer } from "../guest/believe.ts";
import { GuestRunner } from "./guest-run.ts";

export type IsolateSettings = {
  /** Guest processes kept ready. */
  readonly warm: number;
  /** Guest processes at most. */
  readonly most: number;
  /** No compiler and no executable memory in the guests; default true. */
  readonly jitless?: boolean;
};

/**
 * A sandbox of V8 isolates in guest processes: the fast tier. What a program can do to the process
 * around its isolate ends that process, which is replaced. A bad end is believed after a second run
 * of the same call, alone in a new isolate and answered from the record of the first.
 */
export function createIsolateSandbox({ warm, most, jitless = true }: IsolateSettings): Sandbox {
  return new IsolateSandbox(new GuestRunner({ warm: Math.min(warm, most), most, jitless }));
}

class IsolateSandbox implements Sandbox {
  readonly tier = "isolate";
  readonly #runner: GuestRunner;
  readonly #believer = new Believer();

  constructor(runner: GuestRunner) {
    this.#runner = runner;
  }

  execute(execution: Execution, signal: AbortSignal): Promise<readonly CallResult[]> {
    return this.#believer.execute(execution, this.#runner.run.bind(this.#runner), signal);
  }

  sift(sifting: Sifting, signal: AbortSignal): Promise<Sifted> {
    return this.#runner.sift(sifting, signal);
  }

  pool(): PoolState {
    return this.#runner.pool();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner[Symbol.asyncDispose]();
  }
}
