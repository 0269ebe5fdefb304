import type { Door } from "../domain/claim.ts";
import type { Json, JsonObject } from "../domain/json.ts";

/** A new skill: what it does and examples of it, or the id of a sequence that runs repeat. */
export type BirthRequest = {
  by: string;
  from?: string;
  name?: string;
  description?: string;
  /** Each as a line of cases.jsonl. */
  examples?: readonly JsonObject[];
  /** Names of the parameters, where examples have positional arguments. */
  parameters?: readonly string[];
};

/** A report that a run was wrong, by its id or by skill and input, with what is right where that is known. */
export type ReportRequest = {
  run?: string;
  skill?: string;
  input?: JsonObject;
  reason: string;
  expect?: Json;
  /** A part of the message that it should have thrown. */
  throws?: string;
  /** Who says so, by the name that it gives itself. */
  by: string;
  /** Through which door; absent: the API. */
  via?: Door;
};

/**
 * What can be asked of a workspace: by the command line on the workspace itself, or through the
 * daemon's socket. Every answer is plain JSON, printed as it is with --json. Throws HoneError.
 */
export interface Operations {
  call(request: {
    skill: string;
    input: JsonObject;
    expect?: Json;
    /** Through which door it came; `mcp`: an input as the contract before this one had it will do. */
    source?: "mcp";
  }): Promise<JsonObject>;
  /** A claim that a run was wrong; no release rests on it alone. */
  report(request: ReportRequest): Promise<JsonObject>;
  /** The skills as tools: names, descriptions, capabilities, schemas; without them where the digest of all is still `known`. */
  tools(request: { known?: string }): Promise<JsonObject>;
  submit(request: { tasks: readonly JsonObject[] }): Promise<JsonObject>;
  task(request: { id: string }): Promise<JsonObject>;
  /** Ends a task that is queued or under way; it has failed then, and says who wished it. */
  cancel(request: { id: string; by: string }): Promise<JsonObject>;
  /** Runs of a skill, newest first, without those that are set aside; `before` is a run's id. */
  runs(request: { skill: string; limit?: number; before?: string }): Promise<JsonObject>;
  run(request: { id: string }): Promise<JsonObject>;
  incident(request: { id: string }): Promise<JsonObject>;
  candidate(request: { id: string }): Promise<JsonObject>;
  /** Newest first; `before` is a release's commit. */
  releases(request: { skill?: string; limit?: number; before?: string }): Promise<JsonObject>;
  /** What a release's commit carries to be checked by anybody. */
  evidence(request: { commit: string }): Promise<JsonObject>;
  /** Calls of a skill get this version, and it is improved only when it is asked for. */
  pin(request: { skill: string; version: string; by: string }): Promise<JsonObject>;
  unpin(request: { skill: string; by: string }): Promise<JsonObject>;
  improve(request: { skill: string }): Promise<JsonObject>;
  /** Asks for a new skill, by examples or by what `recurring` found. */
  birth(request: BirthRequest): Promise<JsonObject>;
  recurring(): Promise<JsonObject>;
  retire(request: { skill: string; by: string; reason?: string }): Promise<JsonObject>;
  skills(): Promise<JsonObject>;
  skill(request: { name: string }): Promise<JsonObject>;
  test(request: { name?: string }): Promise<JsonObject>;
  status(): Promise<JsonObject>;
  /** Rewards over time, what was released, taken back and refused, in the last days (7). */
  activity(request: { days?: number }): Promise<JsonObject>;
  incidents(request: { skill?: string; all?: boolean }): Promise<JsonObject>;
  log(request: { skill: string }): Promise<JsonObject>;
  /** What recurs, and when it does next. */
  schedules(request: object): Promise<JsonObject>;
  diff(request: { skill: string; from?: string; to?: string }): Promise<JsonObject>;
  why(request: { skill: string }): Promise<JsonObject>;
  rollback(request: { skill: string; by: string }): Promise<JsonObject>;
  approve(request: { candidate: string; by: string }): Promise<JsonObject>;
  reject(request: { candidate: string; by: string }): Promise<JsonObject>;
  /** What the model has cost, and its caps. */
  budget(request: object): Promise<JsonObject>;
  /** Stops repairs, not tasks, until they are resumed. */
  pause(request: { by: string; reason?: string }): Promise<JsonObject>;
  resume(request: { by: string }): Promise<JsonObject>;
  /** Reads the settings anew; says what was applied and what needs a restart. Throws `bad-config`. */
  reload(request: object): Promise<JsonObject>;
  /** Serves the newest versions and improves again, after safe mode. */
  leaveSafeMode(request: { by: string }): Promise<JsonObject>;
  verify(request: { commit: string }): Promise<JsonObject>;
  buildSandbox(request: object): Promise<JsonObject>;
}
