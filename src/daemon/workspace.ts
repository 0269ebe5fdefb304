import type { Config } from "../config.ts";
import type { House } from "../ports/house.ts";
import type { SafeMode } from "./life/safe-mode.ts";
import type { Suspects } from "./life/suspects.ts";
import type { UnderWay } from "./under-way.ts";

/** A commit that is not taken in, and when it is looked at again though nothing has moved. */
type Refusal = {
  /** The head of `hone` and the commit that was held against it. */
  readonly between: string;
  readonly times: number;
  readonly againAt: number;
};

/** A workspace that is open in this process: what the operations and the daemon work with. */
export type Workspace = {
  /** Absolute path of the folder with hone.yaml. */
  readonly dir: string;
  readonly config: Config;
  readonly house: House;
  /** Paths that change when a branch of the repository moves. */
  readonly refPaths: readonly string[];
  /** Incidents are worked on one at a time, whoever asks. */
  readonly oneImprovement: House["alone"];
  /** What happens after tasks were queued: a command does them, a daemon wakes its workers. */
  readonly queued: { listener: () => Promise<void> };
  readonly underWay: UnderWay;
  /** The person's commit that was refused last; see `follow`. */
  readonly refusal: { last: Refusal | null };
  readonly mode: SafeMode;
  readonly suspects: Suspects;
  /** Ends all work of the workspace but calls and tasks under way. */
  readonly signal: AbortSignal;
  /** Ends those as well: they have a while to finish. */
  readonly lastSignal: AbortSignal;
};
