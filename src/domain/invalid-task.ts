import type { Json } from "./json.ts";
import type { Run } from "./task.ts";
import { exchangesOf, type FetchAnswer, type Trace } from "./trace.ts";

/**
 * Whether the tasks are at fault and not the skill: every failing run ended in a plain 404 for
 * something that its input names, and the same endpoint has since served another run of the same
 * version well. An answer that says where the endpoint went is no plain 404.
 */
export function isTasksFault(failing: readonly Run[], goodSince: readonly Run[]): boolean {
  const served = new Set(goodSince.flatMap(servedBy));
  if (failing.length === 0 || served.size === 0) return false;
  return failing.every((run) => {
    const last = fetchesOf(run.trace).at(-1);
    if (last === undefined || !isPlain404(last)) return false;
    const endpoint = endpointOf(last, run.input);
    return endpoint.includes(NAMED) && served.has(endpoint);
  });
}

type Fetched = { readonly method: string; readonly url: URL; readonly answer: FetchAnswer };

function fetchesOf(trace: Trace): readonly Fetched[] {
  return exchangesOf(trace).flatMap(({ request, answer }) => {
    if (request.kind !== "fetch" || answer?.status !== "resolved") return [];
    const { method, url } = request.args as { readonly method: string; readonly url: string };
    const parsed = URL.parse(url);
    if (parsed === null) return [];
    return [{ method, url: parsed, answer: answer.value as unknown as FetchAnswer }];
  });
}

function servedBy({ trace, input }: Run): readonly string[] {
  return fetchesOf(trace)
    .filter(({ answer }) => answer.status >= 200 && answer.status < 300)
    .map((fetched) => endpointOf(fetched, input));
}

/** Stands for what the input names. */
const NAMED = "*";

/** Method, host, path and query, without the values that come from the input. */
function endpointOf({ method, url }: Fetched, input: Json): string {
  const named = new Set(leavesOf(input));
  const shown = (value: string): string => (named.has(value) ? NAMED : value);
  const path = url.pathname.split("/").map(shown);
  const query = [...url.searchParams].map(([name, value]) => `${name}=${shown(value)}`).toSorted();
  return `${method} ${url.host}${path.join("/")}?${query.join("&")}`;
}

function leavesOf(value: Json): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leavesOf);
  return [String(value), encodeURIComponent(String(value))];
}

const SIGNS_OF_A_MOVE = ["location", "link", "deprecation", "sunset"];

function isPlain404({ url, answer }: Fetched): boolean {
  const headers = Object.keys(answer.headers).map((name) => name.toLowerCase());
  if (answer.status !== 404 || headers.some((name) => SIGNS_OF_A_MOVE.includes(name))) return false;
  const paths = answer.body.match(/\/[A-Za-z0-9_~%.{}:-]+/g) ?? [];
  return paths.every((path) => url.pathname.includes(path.replace(/[.,;:]+$/, "")));
}
