import { withRecordings, type Case, type FetchRule } from "../domain/case.ts";
import { canonical, type Json } from "../domain/json.ts";
import type { Skill } from "../domain/skill.ts";
import { exchangesOf, type Trace } from "../domain/trace.ts";
import { examine, type ExaminePorts } from "./examine.ts";

/** Cases that need no world any more but what they carry, and how each comes out. */
export type RecordedSuite = {
  readonly suite: readonly Case[];
  /** The canonical outcome of each case, by its name. */
  readonly outcomes: Readonly<Record<string, Json>>;
};

/**
 * Gives each case what had to be asked of the live world while it was verified: of all that was
 * recorded, what its own run asks for. A suite that was recorded before an API moved would else
 * fail offline for ever, and protect nothing.
 */
export async function recordedSuite(
  input: {
    readonly skill: Skill;
    readonly cases: readonly Case[];
    readonly recorded: readonly FetchRule[];
  },
  ports: Omit<ExaminePorts, "unrecorded">,
  signal: AbortSignal,
): Promise<RecordedSuite> {
  const { skill, recorded } = input;
  const cases = input.cases.map((of) => withRecordings(of, recorded));
  const offline = { ...ports, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases }, offline, signal);
  const suite = judged.map(({ trace }, at) => {
    const asked = askedIn(trace);
    const own = recorded.filter(({ match }) => asked.has(match));
    return withRecordings(input.cases[at] as Case, own);
  });
  const outcomes = judged.map((one) => [one.case.name, canonical(one.outcome as Json)] as const);
  return { suite, outcomes: Object.fromEntries(outcomes) };
}

/** What a run asked for, as rules match it. */
function askedIn(trace: Trace): ReadonlySet<string> {
  const fetches = exchangesOf(trace).filter(({ request }) => request.kind === "fetch");
  return new Set(
    fetches.map(({ request }) => {
      const { method, url } = request.args as { readonly method: string; readonly url: string };
      return `${method.toUpperCase()} ${url}`;
    }),
  );
}
