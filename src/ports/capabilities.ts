import type { CaseWorld, FetchRule } from "../domain/case.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Capabilities } from "../domain/skill.ts";
import type { Trace } from "../domain/trace.ts";
import type { CapabilityHost } from "./sandbox.ts";

/** Calls another skill on behalf of a running one; resolves with its value or throws its error. */
export type SkillCaller = (skill: string, input: JsonObject, signal: AbortSignal) => Promise<Json>;

/** A host that also tells what it had to ask the live world for. */
export interface RecordingHost extends CapabilityHost {
  readonly recorded: readonly FetchRule[];
}

/** Makes the hosts that answer a guest. Each host serves one call. */
export interface CapabilityHosts {
  /** The real world, within what the manifest grants. */
  live(granted: Capabilities, skill: string, callSkill: SkillCaller): CapabilityHost;
  /** A recorded run: its answers, matched by content and told in the recorded order. */
  replay(trace: Trace): CapabilityHost;
  /**
   * A case's world in virtual time. A request that no rule answers is a 404 "no such route" with
   * `closed`; with `reading`, a GET or HEAD to a granted host is asked of the live world and
   * recorded, anything else is rejected as unrecorded.
   */
  table(world: CaseWorld, granted: Capabilities, unrecorded: "closed" | "reading"): RecordingHost;
}
