import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Listed } from "./tool-list.ts";

/** Rows of a list that a model is told. */
const MOST = 10;

/**
 * How things stand, in what a client of a tool may know: counts, states, commits. Texts that other
 * clients or a language model wrote stay away, for a model would read them as if they were ours.
 */
export function statusFor(status: JsonObject, { skills }: Listed): JsonObject {
  const { openIncidents = 0, incidents, waiting, releases } = status;
  return {
    skills: skills.size,
    openIncidents,
    incidents: rows(incidents, ["id", "incident", "skill", "state", "failureClass", "runs"]),
    waiting: rows(waiting, ["candidate", "skill"]),
    releases: rows(releases, ["commit", "skill", "state", "releasedAt"]),
  };
}

function rows(list: Json | undefined, keys: readonly string[]): JsonObject[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter((row: Json) => isJsonObject(row))
    .slice(0, MOST)
    .map((row: JsonObject) =>
      Object.fromEntries(
        keys.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]] as const])),
      ),
    );
}
