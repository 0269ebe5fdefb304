import type { Diagnosis } from "../../domain/incident.ts";
import { isJsonObject, type Json } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";

/** Names of the events that the failing cases send to a machine; none for a function. */
export function sentEventsOf({ language }: Skill, { judged }: Diagnosis): readonly string[] {
  if (language !== "machine") return [];
  const events = judged
    .filter(({ passed }) => !passed)
    .flatMap(({ case: { args } }) => (Array.isArray(args[1]) ? (args[1] as readonly Json[]) : []));
  return [...new Set(events.flatMap((event) => typeIn(event)))];
}

function typeIn(event: Json): readonly string[] {
  const type = isJsonObject(event) ? event["type"] : null;
  return typeof type === "string" ? [type] : [];
}
