import type { DriftEvidence, Moved } from "../../domain/drift.ts";
import type { Diagnosis, JudgedCase } from "../../domain/incident.ts";
import { isTooDeep, type Json } from "../../domain/json.ts";
import { unfitJson } from "../../domain/json-text.ts";
import type { Skill } from "../../domain/skill.ts";
import { exchangesOf, type FetchAnswer, type Trace } from "../../domain/trace.ts";

const GONE = [301, 302, 307, 308, 404, 410];

type Exchange = { readonly url: string; readonly answer: FetchAnswer };

/** Collects what the recorded exchanges of judged cases say about changes at the other end. */
export function evidenceOf(skill: Skill, judged: readonly JudgedCase[]): DriftEvidence {
  const exchanges = judged.flatMap(({ trace }) => fetchesOf(trace));
  const fine = exchanges.filter(({ answer }) => answer.status >= 200 && answer.status < 300);
  const bodies = fine.flatMap(({ answer }) => parsed(answer.body));
  return {
    moved: distinct(exchanges.flatMap(movesOf)),
    payloads: [...bodies, ...judged.flatMap((one) => one.case.args)].filter(isStructured),
    headers: fine.map(({ answer }) => lowerCased(answer.headers)),
    isLimited: exchanges.some(({ answer }) => answer.status === 429),
    canSleep: skill.manifest.capabilities.clock === true,
  };
}

/** Whether a diagnosis has exchanges or structured inputs that could have drifted. */
export function hasEvidence({ judged }: Diagnosis): boolean {
  return judged.some(
    ({ trace, case: { args } }) => fetchesOf(trace).length > 0 || args.some(isStructured),
  );
}

function fetchesOf(trace: Trace): Exchange[] {
  return exchangesOf(trace).flatMap(({ request, answer }) => {
    if (request.kind !== "fetch" || answer?.status !== "resolved") return [];
    const { url } = request.args as { readonly url: string };
    return [{ url, answer: answer.value as unknown as FetchAnswer }];
  });
}

/** Where an exchange says that its endpoint went; the most explicit word first. */
function movesOf({ url, answer }: Exchange): Moved[] {
  const from = url.replace(/[?#].*$/s, "");
  const headers = lowerCased(answer.headers);
  const moves: Moved[] = [];
  const add = (to: string | undefined, source: string): void => {
    const path = to?.replace(/[?#].*$/s, "");
    if (path !== undefined && path !== "" && path !== from) moves.push({ from, to: path, source });
  };
  const successor = successorIn(headers["link"] ?? "");
  const isGone = GONE.includes(answer.status);
  const isDeprecated = "deprecation" in headers || "sunset" in headers;
  if (isGone) add(headers["location"], "Location");
  if (isGone || isDeprecated) add(successor, 'Link rel="successor-version"');
  if (!isGone) return moves;
  for (const path of pathsIn(answer.body)) add(path, "the answer's body");
  for (const version of answer.body.match(/\bv\d+\b/gi) ?? []) {
    if (!from.includes(`/${version}`)) add(version.toLowerCase(), "the answer's body");
  }
  const next = /\/v(\d+)(?=\/|$)/.exec(from)?.[1];
  if (next !== undefined) add(`v${Number(next) + 1}`, "the version that would be next");
  return moves;
}

/** The target of `rel="successor-version"` (RFC 5829), or of `rel="alternate"`. */
function successorIn(link: string): string | undefined {
  for (const [, target, attributes] of link.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/rel="?[^"]*(successor-version|latest-version|alternate)/i.test(attributes ?? "")) {
      return target;
    }
  }
  return undefined;
}

/** Absolute URLs and paths that a text names. */
function pathsIn(text: string): string[] {
  const found = text.match(
    /https?:\/\/[^\s"'`<>()\\]+|\/[A-Za-z0-9_~%.{}:-]+(?:\/[A-Za-z0-9_~%.{}:-]+)*/g,
  );
  return (found ?? []).map((path) => path.replace(/[.,;:]+$/, ""));
}

/** Of equal moves the first, whose source is the surest. */
function distinct(moves: readonly Moved[]): Moved[] {
  const byEnds = Map.groupBy(moves, ({ from, to }) => `${from} ${to}`);
  return [...byEnds.values()].flatMap(([first]) => first ?? []);
}

function parsed(body: string): Json[] {
  if (unfitJson(body) !== null) return [];
  try {
    const value = JSON.parse(body) as Json;
    return isTooDeep(value) ? [] : [value];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isStructured(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
