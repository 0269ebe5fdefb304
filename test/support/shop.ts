import type { Candidate } from "../../src/domain/candidate.ts";
import type { Case, FetchRule } from "../../src/domain/case.ts";
import type { Diagnosis, JudgedCase } from "../../src/domain/incident.ts";
import type { Json } from "../../src/domain/json.ts";
import { judge } from "../../src/domain/judge.ts";
import type { Skill } from "../../src/domain/skill.ts";
import type { Answer, Outcome, Trace } from "../../src/domain/trace.ts";
import type { ExaminePorts } from "../../src/examine/examine.ts";
import type { Editor } from "../../src/ports/editor.ts";
import { aCandidate, aDiagnosis, aTrace } from "./ledger.ts";
import { aScoredSkill } from "./skill.ts";

/** The skill of these tests: one text in, one number out. */
export function aSkill(overrides: Partial<Skill> = {}): Skill {
  return { ...aScoredSkill(), files: { "skill.js": aScoredSkill().source }, ...overrides };
}

/** The skill as a candidate leaves it: another source, which is also the name of its script. */
export function patchedAs(source: string, overrides: Partial<Skill> = {}): Skill {
  const before = aSkill(overrides);
  return {
    ...before,
    source,
    digest: `digest of ${source}`,
    program: { ...before.program, text: source },
    files: { ...before.files, "skill.js": source },
  };
}

export function candidateOf(patched: Skill, overrides: Partial<Candidate> = {}): Candidate {
  return aCandidate({ source: patched.source, digest: patched.digest, ...overrides });
}

/** A case that gives its name as the argument, and expects a value. */
export function aCase(name: string, value: Json, overrides: Partial<Case> = {}): Case {
  return { name, args: [name], expectation: { kind: "value", value }, world: {}, ...overrides };
}

export function judgedCase(of: Case, passed: boolean): JudgedCase {
  const value = passed && of.expectation.kind === "value" ? of.expectation.value : "wrong";
  const outcome: Outcome = { status: "returned", value };
  return { case: of, outcome, trace: aTrace({ outcome }), passed, reason: passed ? "" : "wrong" };
}

/** A diagnosis whose first case is the failing one. */
export function aDiagnosisOf(
  judged: readonly JudgedCase[],
  overrides: Partial<Diagnosis> = {},
): Diagnosis {
  const [failing] = judged;
  if (failing === undefined) throw new Error("a diagnosis has a failing case");
  return { ...aDiagnosis(), failing, judged, ...overrides };
}

/** What a program answers to a case, by the case's argument; `times` counts earlier askings. */
export type Script = (name: string, times: number) => Outcome | Json;

export type Scripted = ExaminePorts & {
  readonly now: () => number;
  /** What was asked, as `program: argument`. */
  readonly asked: string[];
};

/**
 * Ports whose sandbox runs scripts, by the program's text. `recorded` is what every case had to ask
 * of the live world; `unrecorded` names arguments for which no recording was there.
 */
export function scripted(
  scripts: Readonly<Record<string, Script>>,
  world: {
    readonly recorded?: readonly FetchRule[];
    readonly unrecorded?: readonly string[];
    readonly hits?: readonly number[];
  } = {},
): Scripted {
  const asked: string[] = [];
  const hosts = {
    table: () => ({ next: never, recorded: world.recorded ?? [] }),
    live: never,
    replay: never,
  } as unknown as ExaminePorts["hosts"];
  const sandbox: ExaminePorts["sandbox"] = {
    tier: "isolate",
    async execute({ program, calls }) {
      return calls.map(({ args }) => {
        const name = String(args[0]);
        const question = `${program.text}: ${name}`;
        const times = asked.filter((one) => one === question).length;
        asked.push(question);
        const outcome = outcomeOf(scripts[program.text]?.(name, times) ?? null);
        const isUnrecorded = world.unrecorded?.includes(name) === true;
        return { trace: traceOf(outcome, isUnrecorded), hits: world.hits ?? [] };
      });
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  return {
    sandbox,
    hosts,
    asked,
    judgeCase: async (_skill, { expectation }, trace) => {
      if (expectation.kind === "reward") throw new Error("these tests judge by value");
      return judge(trace.outcome, expectation);
    },
    unrecorded: "closed",
    now: () => 0,
  };
}

function never(): never {
  throw new Error("nobody asks the world in these tests");
}

function outcomeOf(said: Outcome | Json): Outcome {
  const isOutcome = typeof said === "object" && said !== null && "status" in said;
  return isOutcome ? (said as Outcome) : { status: "returned", value: said };
}

function traceOf(outcome: Outcome, isUnrecorded: boolean): Trace {
  if (!isUnrecorded) return aTrace({ outcome });
  const args = { url: "https://api.test/", method: "POST", headers: {}, body: null };
  const refusal = {
    id: 1,
    status: "rejected",
    name: "TypeError",
    message: "no recording",
  } as const;
  const answers: Answer[] = [{ ...refusal, cause: "unrecorded" }];
  const steps = [{ requests: [{ id: 1, kind: "fetch", args }], answers, now: 1 }];
  return aTrace({ outcome, steps });
}

/** An editor that answers as it is told; a verb that nobody scripted fails the test. */
export function scriptedEditor(verbs: Partial<Editor>): Editor {
  return new Proxy(verbs as Editor, {
    get: (target, verb) => Reflect.get(target, verb) ?? unexpected(String(verb)),
  });
}

function unexpected(verb: string): () => never {
  return () => {
    throw new Error(`the editor was asked to ${verb}`);
  };
}
