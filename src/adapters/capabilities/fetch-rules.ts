import type { FetchRule } from "../../domain/case.ts";
import type { Json } from "../../domain/json.ts";
import type { FetchAnswer } from "../../domain/trace.ts";
import { failed, responded, type Reply } from "./answering.ts";
import type { FetchCall } from "./request-args.ts";

/** What a table says where no rule fits. */
export const NO_SUCH_ROUTE: FetchRule = { match: "*", status: 404, body: "no such route" };

/** The words that a rule's `match` is held against. */
export function matchTextOf({ method, url }: Pick<FetchCall, "method" | "url">): string {
  return `${method} ${url}`;
}

/** The place of the first rule that fits and is not used up; -1 when there is none. */
export function findRule(
  rules: readonly FetchRule[],
  used: readonly number[],
  wanted: string,
): number {
  return rules.findIndex(
    ({ match, times }, at) =>
      (used[at] ?? 0) < (times ?? Infinity) &&
      (match.endsWith("*") ? wanted.startsWith(match.slice(0, -1)) : wanted === match),
  );
}

/** What a rule replies to a call that it fits. */
export function replyOf(rule: FetchRule, { url }: Pick<FetchCall, "url">): Reply {
  if (rule.error !== undefined) return failed("Error", rule.error);
  return responded({
    status: rule.status ?? 200,
    headers: lowerCased(rule.headers ?? {}),
    body: bodyText(rule.body),
    url,
    redirected: false,
  });
}

/** The rule that repeats an answer to the same call. */
export function ruleFor(call: FetchCall, { status, headers, body }: FetchAnswer): FetchRule {
  return { match: matchTextOf(call), status, headers, body };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** An absent body is the JSON text of an empty string, as case tables have always been read. */
function bodyText(body: Json | undefined): string {
  return typeof body === "string" ? body : JSON.stringify(body === undefined ? "" : body);
}
