import { shapeOf } from "../../domain/answer-shape.ts";
import { endpointOf } from "../../domain/endpoint.ts";
import { isJsonObject, type Json } from "../../domain/json.ts";
import type { Run } from "../../domain/task.ts";
import { exchangesOf, type FetchAnswer } from "../../domain/trace.ts";
import { answered, isUsual, movedIn, UNKNOWN, type Upstream } from "../../domain/upstream.ts";
import { end, raise } from "./alarms.ts";
import type { Background } from "./background.ts";
import type { Workspace } from "../workspace.ts";

/** Endpoints of one skill that are watched, and endpoints in all. */
const MOST_OF_SKILL = 50;
const MOST = 5_000;
/** Longer answers are not looked at, in UTF-16 units. */
const LONGEST = 262_144;

/**
 * Watches the shape of what upstream servers answer, by skill and endpoint: members that are new,
 * missing, or of another type than they used to be.
 */
export function upstreamWatch(
  { house }: Workspace,
  background: Pick<Background, "add">,
): (run: Run) => void {
  const known = new Map<string, Upstream>();

  const upstreamOf = (key: string): Upstream => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const note = house.store.note(key);
    return note === null || note === "" ? UNKNOWN : (JSON.parse(note) as Upstream);
  };

  const put = (key: string, before: Upstream, now: Upstream): void => {
    known.set(key, now);
    if (known.size > MOST) known.delete(known.keys().next().value ?? "");
    const isNews = now.answers !== before.answers || hasOdd(now) || hasOdd(before);
    if (isNews) house.store.setNote(key, JSON.stringify(now));
  };

  const look = (run: Run, endpoint: string, answer: Json): void => {
    const key = `shape/${run.skill}/${endpoint}`;
    const of = { kind: "upstream-moved", skill: run.skill, cause: endpoint } as const;
    const before = isMended(run, endpoint) ? UNKNOWN : upstreamOf(key);
    if (before === UNKNOWN && !known.has(key) && isCrowded(run.skill)) return;
    const now = answered(before, shapeOf(answer));
    put(key, before, now);
    const moved = movedIn(now);
    if (moved.length > 0) raise({ ...of, text: `${endpoint}: ${moved.join("; ")}` }, house);
    else if (isUsual(now)) end(of, "its answers are what is usual", house);
  };

  /** A release since the alarm was made for the new shape, which is learnt anew. */
  const isMended = ({ skill, version }: Run, endpoint: string): boolean => {
    const alarm = house.store
      .alarms({ skill })
      .find(({ kind, cause }) => kind === "upstream-moved" && cause === endpoint);
    if (alarm === undefined) return false;
    return (house.store.release(version)?.releasedAt ?? 0) > alarm.raisedAt;
  };

  const isCrowded = (skill: string): boolean => {
    const own = [...known.keys()].filter((key) => key.startsWith(`shape/${skill}/`));
    return own.length >= MOST_OF_SKILL;
  };

  return (run) => {
    const isAsking = run.trace.steps.some(({ requests }) =>
      requests.some(({ kind }) => kind === "fetch"),
    );
    if (!isAsking) return;
    background.add(async () => {
      for (const { endpoint, answer } of answersIn(run)) look(run, endpoint, answer);
    });
  };
}

function hasOdd({ odd }: Upstream): boolean {
  return Object.keys(odd).length > 0;
}

/** The JSON that a run was answered, with what it was asked of. */
function answersIn({ trace, input }: Run): readonly { endpoint: string; answer: Json }[] {
  return exchangesOf(trace).flatMap(({ request, answer }) => {
    if (request.kind !== "fetch" || answer?.status !== "resolved") return [];
    const { method, url } = isJsonObject(request.args) ? request.args : {};
    const { status, body } = answer.value as FetchAnswer;
    if (typeof method !== "string" || typeof url !== "string") return [];
    const endpoint = endpointOf(method, url, input);
    const value = status >= 200 && status < 300 ? parsed(body) : undefined;
    return endpoint === null || value === undefined ? [] : [{ endpoint, answer: value }];
  });
}

function parsed(body: string): Json | undefined {
  if (body.length > LONGEST) return undefined;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}
