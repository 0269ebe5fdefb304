import { canonical, isJsonObject, type Json, type JsonObject } from "../../src/domain/json.ts";
import type { RewardAnswer } from "../../src/domain/reward-function.ts";
import type { RewardContext } from "../../src/domain/reward.ts";
import type { Answer, FetchAnswer, Trace } from "../../src/domain/trace.ts";
import { meanOf, share, within } from "./components.ts";
import { at, isListOf, isPath, POSITIVE, problemsWith, type Option } from "./options.ts";

/**
 * The family `api`: did the services that were asked answer well? Of requests to the same URL only
 * the last counts, so that a retry that worked is no fault.
 *
 * Options:
 * - `status`: accepted HTTP status codes. Default: 200 to 299.
 * - `payload`: paths that the JSON body of every accepted answer has. Default: none; a body that
 *   calls itself JSON must be JSON in any case.
 * - `latencyMs`: milliseconds for one answer, above which `latency` falls. Default: no limit.
 *
 * Components: `status` (share of requests accepted), `payload` (share of accepted answers that are
 * whole), `latency` (mean over the answers). The score is their mean. A run that fails scores 0; one
 * that asked nobody is unscored.
 */
export function api(trace: Trace, { asExpected, with: options }: RewardContext): RewardAnswer {
  const isSound = asExpected ?? trace.outcome.status === "returned";
  if (!isSound) return { score: 0, components: { status: 0 } };
  const asked = lastOfEach(fetchesOf(trace));
  const accepted = asked.flatMap(({ answer }) =>
    answer !== null && isAccepted(answer.status, options["status"]) ? [answer] : [],
  );
  return meanOf({
    status: asked.length === 0 ? null : accepted.length / asked.length,
    payload: share(accepted, (answer) => isWhole(answer, options["payload"])),
    latency: latencyOf(asked, options["latencyMs"]),
  });
}

/** Problems of the options of `api`. */
export function apiProblems(given: JsonObject): string[] {
  return problemsWith("api", given, { status: STATUSES, payload: PATHS, latencyMs: POSITIVE });
}

const STATUSES: Option = {
  is: "a list of HTTP status codes",
  accepts: (value) =>
    isListOf(value, (code) => Number.isInteger(code) && Number(code) >= 100 && Number(code) < 600),
};

const PATHS: Option = {
  is: "a list of paths such as `data.items`",
  accepts: (value) => isListOf(value, isPath),
};

type Fetch = {
  readonly target: string;
  readonly answer: FetchAnswer | null;
  readonly latencyMs: number | null;
};

/** The fetches of a trace with their answers; latency is from the asking step to the telling one. */
function fetchesOf({ environment, steps }: Trace): readonly Fetch[] {
  const told = new Map<number, { readonly answer: Answer; readonly now: number }>();
  for (const { answers, now } of steps) {
    for (const answer of answers) told.set(answer.id, { answer, now });
  }
  return steps.flatMap(({ requests }, step) => {
    const askedAt = steps[step - 1]?.now ?? environment.now;
    return requests.flatMap(({ id, kind, args }) => {
      if (kind !== "fetch") return [];
      const found = told.get(id);
      const answer =
        found?.answer.status === "resolved" ? (found.answer.value as FetchAnswer) : null;
      return [
        {
          target: targetOf(args),
          answer,
          latencyMs: found === undefined ? null : found.now - askedAt,
        },
      ];
    });
  });
}

function targetOf(args: Json): string {
  return isJsonObject(args) ? canonical([args["method"] ?? "", args["url"] ?? ""]) : "";
}

function lastOfEach(fetches: readonly Fetch[]): readonly Fetch[] {
  return [...new Map(fetches.map((fetch) => [fetch.target, fetch])).values()];
}

function isAccepted(status: number, accepted: Json | undefined): boolean {
  return Array.isArray(accepted) ? accepted.includes(status) : status >= 200 && status < 300;
}

function isWhole({ headers, body }: FetchAnswer, payload: Json | undefined): boolean {
  const paths = Array.isArray(payload) ? payload : [];
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type");
  if (paths.length === 0 && !/\bjson\b/i.test(type?.[1] ?? "")) return true;
  if (paths.length === 0 && body === "") return true;
  const value = parsed(body);
  return value !== undefined && paths.every((path: Json) => at(value, path) !== undefined);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function latencyOf(asked: readonly Fetch[], limitMs: Json | undefined): number | null {
  if (typeof limitMs !== "number") return null;
  const scores = asked.flatMap(({ latencyMs }) =>
    latencyMs === null ? [] : [within(limitMs, latencyMs)],
  );
  return scores.length === 0 ? null : scores.reduce((sum, one) => sum + one, 0) / scores.length;
}
