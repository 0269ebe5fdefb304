import type { LoadedConfig } from "./config-file.ts";
import { isJsonObject } from "./domain/json.ts";
import type { Json, JsonObject } from "./domain/json.ts";
import { allSettings } from "./settings.ts";

/** A setting with the value that is in force and where it comes from. */
export type ShownSetting = {
  readonly key: string;
  readonly value: Json;
  readonly default: Json;
  /** A file, a variable, `flag` or `default`. */
  readonly origin: string;
  readonly env: string;
  readonly description: string;
};

/** Every setting as it is in force. */
export function shownSettings({ config, origins }: LoadedConfig): readonly ShownSetting[] {
  // Every value of the configuration was JSON or YAML; only optional members may be undefined.
  const values = config as unknown as JsonObject;
  return allSettings().map(({ key, env, description, default: standard }) => ({
    key,
    value: settingIn(values, key),
    default: standard,
    origin: origins[key] ?? "default",
    env,
    description,
  }));
}

function settingIn(values: JsonObject, key: string): Json {
  return key
    .split(".")
    .reduce<Json>((inner, name) => (isJsonObject(inner) ? (inner[name] ?? null) : null), values);
}
