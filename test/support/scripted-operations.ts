import { HoneError } from "../../src/domain/errors.ts";
import type { HoneErrorCode } from "../../src/domain/errors.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { Operations } from "../../src/ports/operations.ts";

/**
 * Operations that answer with what they were asked: `{verb, request}`. A request that names
 * `fails with <code>` anywhere is answered with that error, `has a bug` with a plain Error.
 */
export function scriptedOperations(): Operations {
  const perform =
    (verb: string) =>
    async (request: object = {}): Promise<JsonObject> => {
      const said = JSON.stringify(request);
      const code = /fails with ([a-z-]+)/.exec(said)?.[1];
      if (code !== undefined) {
        throw new HoneError(code as HoneErrorCode, `it fails with ${code}`, {
          hint: "Try something else.",
          retryable: code === "busy",
        });
      }
      if (said.includes("has a bug")) throw new Error("undefined is not a function");
      return { schemaVersion: 1, verb, request: request as Json };
    };
  return {
    call: perform("call"),
    report: perform("report"),
    tools: perform("tools"),
    submit: perform("submit"),
    task: perform("task"),
    cancel: perform("cancel"),
    runs: perform("runs"),
    run: perform("run"),
    incident: perform("incident"),
    candidate: perform("candidate"),
    releases: perform("releases"),
    evidence: perform("evidence"),
    pin: perform("pin"),
    unpin: perform("unpin"),
    improve: perform("improve"),
    birth: perform("birth"),
    recurring: perform("recurring"),
    retire: perform("retire"),
    skills: perform("skills"),
    skill: perform("skill"),
    test: perform("test"),
    status: perform("status"),
    activity: perform("activity"),
    incidents: perform("incidents"),
    log: perform("log"),
    diff: perform("diff"),
    why: perform("why"),
    rollback: perform("rollback"),
    approve: perform("approve"),
    reject: perform("reject"),
    budget: perform("budget"),
    pause: perform("pause"),
    resume: perform("resume"),
    reload: perform("reload"),
    leaveSafeMode: perform("leaveSafeMode"),
    verify: perform("verify"),
    buildSandbox: perform("buildSandbox"),
    schedules: perform("schedules"),
  };
}
