import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { LineCounter, parse, parseDocument } from "yaml";
import { parseConfig } from "./config.ts";
import type { Config } from "./config.ts";
import { HoneError } from "./domain/errors.ts";
import { isJsonObject } from "./domain/json.ts";
import type { Json, JsonObject } from "./domain/json.ts";
import { nearest } from "./domain/nearest.ts";
import { allSettings, problemsOf } from "./settings.ts";
import type { Setting } from "./settings.ts";

/** The settings in force, and for each that is not its default where it was set. */
export type LoadedConfig = {
  readonly config: Config;
  /** By the setting's key: a file, an environment variable, or `flag`. */
  readonly origins: Readonly<Record<string, string>>;
};

/** Where settings are looked for. `flags` are `key=value` texts from the command line. */
export type ConfigSources = {
  /** Null: no workspace, only the machine's and the user's files and the environment. */
  readonly workspaceDir: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: readonly string[];
  /** The machine's configuration file. */
  readonly systemFile?: string;
};

type Layer = { readonly origin: (key: string) => string; readonly value: JsonObject };

/**
 * Reads the settings: flags > HONE_* environment > the workspace's hone.yaml >
 * $XDG_CONFIG_HOME/hone/config.yaml > /etc/hone/config.yaml. Objects are merged, lists replaced.
 * Throws one `bad-config` per source that names every problem in it.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const layers: Layer[] = [];
  for (const file of settingFiles(sources)) layers.push(await fileLayer(file));
  layers.push(environmentLayer(sources.env), flagLayer(sources.flags ?? []));
  const merged = layers.reduce<JsonObject>((under, { value }) => merge(under, value), {});
  return { config: parseConfig(merged, "The configuration"), origins: originsOf(layers) };
}

/** The files that are read, weakest first. */
export function settingFiles({ workspaceDir, env, systemFile }: ConfigSources): readonly string[] {
  const userDir = env["XDG_CONFIG_HOME"] || path.join(env["HOME"] || homedir(), ".config");
  return [
    systemFile ?? "/etc/hone/config.yaml",
    path.join(userDir, "hone", "config.yaml"),
    ...(workspaceDir === null ? [] : [path.join(workspaceDir, "hone.yaml")]),
  ];
}

async function fileLayer(file: string): Promise<Layer> {
  const text = await readIfThere(file);
  const value = text === null ? {} : parseYaml(text, file);
  return { origin: () => file, value: sound(value, file) };
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new HoneError("bad-config", `${file} cannot be read: ${code}`, { cause });
  }
}

function parseYaml(text: string, file: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length === 0) return resolved(document, file);
  const problems = document.errors.map(
    ({ message, pos }) => `line ${lines.linePos(pos[0]).line}: ${message}`,
  );
  throw badConfig(file, problems);
}

/** The values, with what aliases stand for. A cron that begins with `*` and has no quotes is an alias of nothing. */
function resolved(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError || thrown instanceof TypeError)) throw thrown;
    throw badConfig(file, [`${thrown.message}; a text that begins with * is put in quotes`]);
  }
}

function sound(value: unknown, where: string): JsonObject {
  const problems = problemsOf(value);
  if (problems.length > 0) throw badConfig(where, problems);
  return value as JsonObject;
}

/** Variables that begin with HONE_ and are settings; a near miss of one is an error. */
function environmentLayer(env: ConfigSources["env"]): Layer {
  const settings = allSettings();
  const names = settings.map((setting) => setting.env);
  const value = Object.entries(env)
    .filter(([name, text]) => name.startsWith("HONE_") && text !== undefined && text !== "")
    .reduce<JsonObject>((under, [name, text = ""]) => {
      const setting = settings.find((each) => each.env === name);
      if (setting !== undefined) return merge(under, settingValue(setting, text, name));
      refuseNearMiss(name, names);
      return under;
    }, {});
  return {
    origin: (key) => settings.find((each) => each.key === key)?.env ?? "environment",
    value: sound(value, "The environment"),
  };
}

const OTHER_VARIABLES = [
  "HONE_WORKSPACE",
  "HONE_DEBUG",
  "HONE_HOST",
  "HONE_TOKEN",
  "HONE_TOKEN_FILE",
];

function refuseNearMiss(name: string, names: readonly string[]): void {
  if (OTHER_VARIABLES.includes(name) || name.startsWith("HONE_SECRET_")) return;
  const known = [...names, ...OTHER_VARIABLES].map((each) => each.slice("HONE_".length));
  const meant = nearest(name.slice("HONE_".length), known);
  // Other programs may own variables of this prefix; only what looks like a slip is refused.
  if (meant === null) return;
  throw badConfig("The environment", [`${name} is no setting, did you mean HONE_${meant}?`]);
}

function flagLayer(flags: readonly string[]): Layer {
  const settings = allSettings();
  const value = flags.reduce<JsonObject>((under, flag) => {
    const [key = "", ...rest] = flag.split("=");
    const setting = settings.find((each) => each.key === key);
    if (setting === undefined || rest.length === 0) throw unknownFlag(flag, key, settings);
    return merge(under, settingValue(setting, rest.join("="), `--set ${key}`));
  }, {});
  return { origin: () => "flag", value: sound(value, "The command line") };
}

function unknownFlag(flag: string, key: string, settings: readonly Setting[]): HoneError {
  const keys = settings.map((setting) => setting.key);
  const meant = nearest(key, keys);
  return new HoneError(
    "usage",
    `--set ${flag} is not of the form key=value with a known key${meant === null ? "" : `; did you mean ${meant}?`}`,
    { hint: `The keys are: ${keys.join(", ")}.` },
  );
}

/** The nested object that sets one setting from a text; lists may be written `a,b`. */
function settingValue(setting: Setting, text: string, where: string): JsonObject {
  const value = valueOf(setting, text, where);
  return setting.key
    .split(".")
    .reverse()
    .reduce<Json>((inner, name) => ({ [name]: inner }), value) as JsonObject;
}

function valueOf(setting: Setting, text: string, where: string): Json {
  if (setting.type === "string") return text;
  if (setting.type === "array" && !text.trimStart().startsWith("[")) {
    return text.split(",").map((each) => each.trim());
  }
  try {
    return parse(text) as Json;
  } catch (cause) {
    throw new HoneError("bad-config", `${where} is not valid YAML`, { cause });
  }
}

function merge(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isJsonObject(below) && isJsonObject(value) ? merge(below, value) : value;
  }
  return merged;
}

function originsOf(layers: readonly Layer[]): Record<string, string> {
  const origins: Record<string, string> = {};
  for (const { key } of allSettings()) {
    const last = layers.findLast(({ value }) => has(value, key));
    if (last !== undefined) origins[key] = last.origin(key);
  }
  return origins;
}

function has(value: JsonObject, key: string): boolean {
  const found = key
    .split(".")
    .reduce<Json | undefined>(
      (inner, name) => (isJsonObject(inner) ? inner[name] : undefined),
      value,
    );
  return found !== undefined;
}

function badConfig(where: string, problems: readonly string[]): HoneError {
  return new HoneError(
    "bad-config",
    `${where} is not a valid configuration: ${problems.join("; ")}`,
    {
      hint: "`hone config schema` has every setting with its default; what is not set has that.",
    },
  );
}
