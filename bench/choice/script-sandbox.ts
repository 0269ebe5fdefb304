import vm from "node:vm";
import type { Json } from "../../src/domain/json.ts";
import type { Outcome, Trace } from "../../src/domain/trace.ts";
import type { CallResult, Sandbox } from "../../src/ports/sandbox.ts";

/** Longest time of one call, in milliseconds, and timeouts after which a program is given up. */
const TIMEOUT_MS = 8;
const MOST_TIMEOUTS = 4;

/** Programs of one realm: making one takes longer than most programs. */
const USES = 300;

/**
 * Runs programs of this benchmark's own corpus, which ask for nothing, in scripts of this process:
 * no wall, for faults of our own making only, and many times as fast as the real one.
 */
export function scriptSandbox(): Sandbox {
  let context = vm.createContext();
  let uses = 0;
  return {
    tier: "isolate",
    async execute({ program, calls }) {
      if (uses >= USES) [context, uses] = [vm.createContext(), 0];
      uses += 1;
      const questions = calls.map(({ args }) => args);
      return answersOf(context, program, questions).map(({ outcome, hits }): CallResult => {
        return { trace: traceOf(outcome), hits };
      });
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

type Answered = { readonly outcome: Outcome; readonly hits: readonly number[] };

function answersOf(
  context: vm.Context,
  program: { readonly text: string; readonly entry: string; readonly strict: boolean },
  questions: readonly (readonly Json[])[],
): readonly Answered[] {
  const mode = program.strict ? '"use strict";' : "";
  const text = `(() => {
const hits = new Set();
const __hone_hit = (site) => hits.add(site);
const entry = (() => {${mode}${program.text}
;return ${program.entry};})();
const plain = (value) => JSON.stringify(value === undefined ? null : value, (_, one) => {
  if (typeof one === "number" && !Number.isFinite(one)) throw { bad: true };
  return one;
});
globalThis.ask = () => {
  while (next < questions.length) {
    const at = next++;
    hits.clear();
    try {
      said[at] = "v" + plain(entry(...JSON.parse(questions[at])));
    } catch (error) {
      said[at] = error && error.bad ? "b" : "t" + (error && error.name);
    }
    passed[at] = [...hits];
  }
};
ask();
})()`;
  const said: string[] = [];
  const passed: number[][] = [];
  context["questions"] = questions.map((args) => JSON.stringify(args));
  context["said"] = said;
  context["passed"] = passed;
  context["next"] = 0;
  let code = text;
  const again = new Set<number>();
  for (let timeouts = 0; timeouts < MOST_TIMEOUTS; timeouts += 1) {
    try {
      vm.runInContext(code, context, { timeout: TIMEOUT_MS });
      break;
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") break;
      code = "ask()";
      // On a busy machine a first timeout says little: the question is asked once more.
      const at = Number(context["next"]) - 1;
      if (!again.has(at)) context["next"] = at;
      again.add(at);
    }
  }
  return questions.map((_, at) => ({ outcome: outcomeOf(said[at]), hits: passed[at] ?? [] }));
}

function outcomeOf(said: string | undefined): Outcome {
  if (said === undefined) return { status: "timed-out", afterMs: TIMEOUT_MS };
  const rest = said.slice(1);
  if (said.startsWith("v") && rest !== "undefined") {
    return { status: "returned", value: JSON.parse(rest) as Json };
  }
  if (said.startsWith("t")) {
    return { status: "threw", error: { name: rest, message: "", frames: [] } };
  }
  return { status: "bad-result", path: "result", reason: "not plain" };
}

function traceOf(outcome: Outcome): Trace {
  const environment = { now: 0, seed: 1 };
  const usage = { wallMs: 1, cpuMs: 1, heapBytes: 0 };
  return { environment, grants: [], steps: [], logs: [], outcome, usage };
}
