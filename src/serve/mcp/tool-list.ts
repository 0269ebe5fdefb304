import { z } from "zod";
import { HoneError } from "../../domain/errors.ts";
import { canonical, isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";
import { annotationsOf } from "./annotations.ts";
import { HOUSE_TOOLS } from "./house-tools.ts";
import { isOfObjects, objectSchema, plainSchema } from "./plain-schema.ts";

/** A skill as clients see it; what it returns is a member `result` unless it is an object anyway. */
export type SkillTool = {
  readonly definition: JsonObject;
  readonly description: string;
  readonly isWrapped: boolean;
  /** What is wrong with a result, as a sentence; null where it is what the schema says. */
  readonly problemOf: (result: JsonObject) => string | null;
};

/** The tools of one moment, in a fixed order: hone's own, then the skills by name. */
export type Listed = {
  readonly tools: readonly JsonObject[];
  readonly skills: ReadonlyMap<string, SkillTool>;
  /** Equal texts are equal lists. */
  readonly text: string;
  /** The house's digest of what the list was made of. */
  readonly digest: string;
};

/** A list that is read when it is first asked for, and again when somebody says that it may have changed. */
export type ToolList = {
  now(): Promise<Listed>;
  /** Reads it again, where anybody has asked for it yet; a house that is out of reach leaves it. */
  refresh(): Promise<void>;
  /** Calls the listener after each reading that gave another list. */
  onChange(listener: () => void): void;
};

/** Above about this many bytes servers of local models refuse a list of tools. */
const MOST_LIST_BYTES = 97_000;

/** Names that hone keeps for its own tools start so. */
const OURS = "hone_";

/**
 * The list of tools, kept in memory: it changes when a skill comes, goes, or changes what it says of
 * itself, and never because a body did. `onTrouble` is told of a list that is too long for some, and
 * of names that are hone's, once for each list.
 */
export function toolListOf(
  operations: Pick<Operations, "tools">,
  onTrouble: (sentence: string) => void,
): ToolList {
  const listeners: (() => void)[] = [];
  let known: Promise<Listed> | null = null;
  const read = async (before: Listed | null): Promise<Listed> => {
    const request = before === null ? {} : { known: before.digest };
    const { tools, digest } = await operations.tools(request);
    if (before !== null && tools === undefined) return before;
    return listedOf(rowsIn(tools), textOf(digest), onTrouble);
  };
  const now = async (): Promise<Listed> => {
    const reading = (known ??= read(null));
    // What failed is tried again by whoever asks next.
    return await reading.catch((error: unknown) => {
      if (known === reading) known = null;
      throw error;
    });
  };
  return {
    now,
    async refresh() {
      const before = (await known?.catch(() => null)) ?? null;
      if (before === null) return;
      const fresh = await read(before).catch(keeping(before));
      known = Promise.resolve(fresh);
      if (fresh.text !== before.text) for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function keeping(before: Listed): (error: unknown) => Listed {
  return (error) => {
    if (error instanceof HoneError) return before;
    throw error;
  };
}

function rowsIn(tools: Json | undefined): readonly JsonObject[] {
  return Array.isArray(tools) ? tools.filter((one: Json) => isJsonObject(one)) : [];
}

function listedOf(
  rows: readonly JsonObject[],
  digest: string,
  onTrouble: (sentence: string) => void,
): Listed {
  const refused = rows.map(nameOf).filter((name) => name.startsWith(OURS));
  for (const name of refused) {
    onTrouble(`the skill ${name} is no tool: names that start with ${OURS} are hone's own`);
  }
  const served = rows.filter((row) => !nameOf(row).startsWith(OURS));
  const capabilities = new Map(rows.map((row) => [nameOf(row), memberOf(row, "capabilities")]));
  const skills = new Map(served.map((row) => [nameOf(row), skillTool(row, capabilities)]));
  const tools = [...HOUSE_TOOLS, ...[...skills.values()].map(({ definition }) => definition)];
  const text = canonical(tools);
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  if (bytes > MOST_LIST_BYTES) {
    onTrouble(
      `the list of ${tools.length} tools has ${bytes} bytes; model servers refuse lists above about ${MOST_LIST_BYTES}: such clients need hone_search and hone_call alone`,
    );
  }
  return { tools, skills, text, digest };
}

function skillTool(row: JsonObject, capabilities: ReadonlyMap<string, JsonObject>): SkillTool {
  const name = nameOf(row);
  const description = textOf(row["description"]);
  const returned = memberOf(row, "outputSchema");
  const outputSchema = plainSchema(objectSchema(returned));
  const definition = {
    name,
    title: titleOf(name),
    description,
    inputSchema: { ...plainSchema(memberOf(row, "inputSchema")), type: "object" },
    outputSchema,
    annotations: { title: titleOf(name), ...annotationsOf(name, capabilities) },
  };
  return {
    definition,
    description,
    isWrapped: !isOfObjects(returned),
    problemOf: checkOf(outputSchema),
  };
}

/** Read when it is first needed: most tools of a list are never called. */
function checkOf(schema: JsonObject): SkillTool["problemOf"] {
  let type: z.ZodType | null = null;
  return (result) => {
    type ??= typeOf(schema);
    const [issue] = type.safeParse(result).error?.issues ?? [];
    if (issue === undefined) return null;
    return `${issue.path.map(String).join(".") || "the whole"}: ${issue.message}`;
  };
}

/** A schema that cannot be read is nobody's to hold a result against. */
function typeOf(schema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return z.unknown();
  }
}

function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function nameOf(row: JsonObject): string {
  return textOf(row["name"]);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function memberOf(row: JsonObject, key: string): JsonObject {
  const value = row[key];
  return isJsonObject(value) ? value : {};
}
