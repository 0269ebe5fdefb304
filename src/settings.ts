import { z } from "zod";
import { configSchema } from "./config.ts";
import { nearest } from "./domain/nearest.ts";
import type { Json } from "./domain/json.ts";

/** One setting as people see it. `key` is its path with dots, `env` the variable that sets it. */
export type Setting = {
  readonly key: string;
  readonly env: string;
  readonly type: string;
  readonly default: Json;
  readonly description: string;
};

/** The part of a JSON Schema that the settings use. */
type SchemaNode = {
  readonly type?: string;
  readonly default?: Json;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
};

/** Every setting, in the order of the schema. */
export function allSettings(): readonly Setting[] {
  return settingsUnder(schema(), []);
}

/** The JSON Schema of a configuration file. */
export function settingsSchema(): object {
  return schema();
}

/** Every problem of a configuration value, each in one sentence; empty when it is sound. */
export function problemsOf(value: unknown): readonly string[] {
  const parsed = configSchema.safeParse(value ?? {});
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownKey(key, issue.path))
      : [`${pathText(issue.path) || "the top level"}: ${issue.message}`],
  );
}

/** The name of the environment variable that sets a setting: `improve.budgetMs` → `HONE_IMPROVE_BUDGET_MS`. */
function envNameOf(key: string): string {
  return `HONE_${key
    .replaceAll(".", "_")
    .replace(/[a-z](?=[A-Z])/g, "$&_")
    .toUpperCase()}`;
}

function settingsUnder(node: SchemaNode, path: readonly string[]): readonly Setting[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = [...path, name].join(".");
    if (child.properties !== undefined) return settingsUnder(child, [...path, name]);
    return [
      {
        key,
        env: envNameOf(key),
        type: child.type ?? "string",
        default: child.default ?? null,
        description: child.description ?? "",
      },
    ];
  });
}

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const where = pathText(path);
  const full = where === "" ? key : `${where}.${key}`;
  const siblings = Object.keys(nodeAt(path)?.properties ?? {});
  const meant = nearest(key, siblings);
  if (meant !== null) return `${full} is no setting, did you mean ${meant}?`;
  const elsewhere = allSettings().find((setting) => setting.key.split(".").at(-1) === key);
  if (elsewhere !== undefined) return `${full} is no setting, did you mean ${elsewhere.key}?`;
  return `${full} is no setting; known here: ${siblings.join(", ")}`;
}

function nodeAt(path: readonly PropertyKey[]): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>(
    (node, key) => (typeof key === "number" ? node?.items : node?.properties?.[String(key)]),
    schema(),
  );
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

function schema(): SchemaNode {
  return z.toJSONSchema(configSchema, { io: "input" }) as SchemaNode;
}
