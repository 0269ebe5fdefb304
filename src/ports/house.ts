import type { Canary, CanarySettings } from "../domain/canary.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { ProbationSettings } from "../domain/probation.ts";
import type { WatchSettings } from "../domain/regressed.ts";
import type { RetireSettings } from "../domain/retirement.ts";
import type { Reward } from "../domain/reward.ts";
import type { Expectation } from "../domain/case.ts";
import type { ShadowSettings } from "../domain/shadow.ts";
import type { Skill } from "../domain/skill.ts";
import type { Run } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import type { Trace } from "../domain/trace.ts";
import type { CapabilityHosts } from "./capabilities.ts";
import type { Containers } from "./containers.ts";
import type { Editor } from "./editor.ts";
import type { Gate } from "./gate.ts";
import type { JudgeCase } from "./judge.ts";
import type { Library } from "./library.ts";
import type { WatchedModel } from "./model.ts";
import type { Minimise } from "./minimise.ts";
import type { Proposer } from "./proposer.ts";
import type { Repository } from "./repository.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Store } from "./store.ts";

/** What a repair needs: no ledger, no history. */
export type Workshop = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  readonly editor: Editor;
  readonly judgeCase: JudgeCase;
  readonly minimise: Minimise;
  readonly proposers: readonly Proposer[];
  readonly gates: readonly Gate[];
  readonly now: () => number;
  readonly newId: (kind: string) => string;
};

/** Everything that the loop works with. */
export type House = Workshop & {
  readonly library: Library;
  /** The version that is served instead of an active one in safe mode; null: the active one is. */
  readonly safeVersion: (active: Skill) => Promise<Skill | null>;
  /** In safe mode no release under watch is run, whatever for. */
  readonly isInSafeMode: () => boolean;
  readonly store: Store;
  readonly repository: Repository;
  /** What a skill says of itself, as something to be judged and repaired; see `asDefinition`. */
  readonly definition: (skill: Skill, signal: AbortSignal) => Promise<Skill>;
  /** Null: off. */
  readonly containers: Containers | null;
  /** Null: off. */
  readonly model: WatchedModel | null;
  /** Scores a finished run; see the stage `reward`. */
  readonly score: (
    input: {
      readonly skill: Skill;
      readonly input: JsonObject;
      readonly trace: Trace;
      readonly expectation: Expectation | null;
    },
    signal: AbortSignal,
  ) => Promise<Reward>;
  /** What is wrong with an input, as sentences; empty when it fits the skill's input schema. */
  readonly inputProblems: (skill: Skill, input: JsonObject) => readonly string[];
  /** The same of a value that a skill is said to return. */
  readonly outputProblems: (skill: Skill, value: Json) => readonly string[];
  /** Values of the secrets that a skill may use: to be taken out of texts, for nothing else. */
  readonly secretsOf: (skill: Skill) => readonly string[];
  readonly sha256: (text: string) => string;
  readonly newSeed: () => number;
  readonly tools: Readonly<Record<string, string>>;
  /** One at a time: whatever moves the branch. What was left half done is settled first. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Throws `refused` while repairs are paused: nothing is released then. */
  readonly mayRelease: () => void;
  /** What the house itself lacks now, as sentences: a ledger that takes no more. */
  readonly troubles: () => readonly string[];
  /** What is put around each task; absent: nothing. */
  readonly around?: <T>(task: Task, work: () => Promise<T>) => Promise<T>;
  /** Tells the ledger, the log and whoever listens. */
  readonly tell: (kind: string, skill: string | null, detail: JsonObject) => void;
  readonly traffic: {
    /** Live runs under way. */
    running: number;
    /** Who is told of each one that was recorded. */
    onRun: (run: Run) => void;
    /** How much of the work each release under watch had after the last run, by its commit. */
    readonly canaries: Map<string, Canary>;
  };
  readonly settings: {
    readonly heldOutShare: number;
    readonly budgetMs: number;
    readonly candidates: number;
    readonly backoffMs: number;
    readonly watch: WatchSettings;
    readonly canary: CanarySettings;
    readonly shadow: ShadowSettings;
    readonly probation: ProbationSettings;
    readonly retire: RetireSettings;
  };
};
