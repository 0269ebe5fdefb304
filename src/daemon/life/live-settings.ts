import type { Config } from "../../config.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { House } from "../../ports/house.ts";
import { allSettings } from "../../settings.ts";
import { houseSettings } from "../house-settings.ts";

/** Settings that are read whenever they are needed; a key with a dot at its end stands for a group. */
const LIVE: readonly string[] = [
  "improve.",
  "tasks.",
  "watch.",
  "canary.",
  "birth.",
  "retire.",
  "heldOut.share",
  "schedules",
  "logLevel",
  "log.",
  "life.",
];

export type Change = { readonly key: string; readonly from: Json; readonly to: Json };

/** What another configuration would change, by whether it can be applied without a restart. */
export type Changes = { readonly live: readonly Change[]; readonly later: readonly Change[] };

/** The settings that differ. */
export function changesTo(before: Config, after: Config): Changes {
  const changed = allSettings()
    .map(({ key }) => ({ key, from: valueAt(before, key), to: valueAt(after, key) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  return {
    live: changed.filter(({ key }) => isLive(key)),
    later: changed.filter(({ key }) => !isLive(key)),
  };
}

/**
 * Puts changes into the configuration in force, in place: everybody who holds it reads the new values
 * from then on, and what has begun with the old ones ends with them.
 */
export function apply(
  changes: readonly Change[],
  { config, house }: { readonly config: Config; readonly house: Pick<House, "settings"> },
): void {
  for (const { key, to } of changes) setAt(config, key.split("."), to);
  Object.assign(house.settings, houseSettings(config));
}

function isLive(key: string): boolean {
  return LIVE.some((each) => (each.endsWith(".") ? key.startsWith(each) : key === each));
}

function valueAt(config: Config, key: string): Json {
  return key
    .split(".")
    .reduce<Json>(
      (inner, name) => (isJsonObject(inner) ? (inner[name] ?? null) : null),
      asJson(config),
    );
}

function setAt(config: Config, path: readonly string[], value: Json): void {
  const groups = path.slice(0, -1);
  const group = groups.reduce<Record<string, Json>>(
    (inner, name) => inner[name] as Record<string, Json>,
    asJson(config) as Record<string, Json>,
  );
  group[path.at(-1) ?? ""] = value;
}

/** Settings are what YAML can say. */
function asJson(config: Config): JsonObject {
  return config as unknown as JsonObject;
}
