import { createHash } from "node:crypto";
import { parseDocument } from "yaml";
import { canonical, isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Program } from "../../domain/skill.ts";
import type { Finding, Inspection, SourceText } from "../../ports/editor.ts";

const FRONT_MATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?(?:\n|$)/;

/** What a model is shown of a tool's input, and what it is asked for. */
const SIGNATURE = {
  name: "choose",
  parameters: ["say", "schema", "others"].map((name) => ({ name, optional: false, schema: {} })),
  takesCtx: true,
  isAsync: true,
};

const ANSWER = {
  type: "object",
  properties: { tool: { type: "string" }, input: { type: "object" } },
  required: ["tool", "input"],
} as const;

/** The definition that SKILL.md gives of a tool: its program puts a request to a model that sees it. */
export function inspectDefinition({ text }: Pick<SourceText, "text">): Inspection {
  const header = headerOf(text);
  const { name, description } = header ?? {};
  if (header === null || typeof name !== "string" || typeof description !== "string") {
    const message = "SKILL.md has no front matter with a name and a description";
    return { status: "unsound", problems: [{ line: 1, message }] };
  }
  const problems = wordProblems(header).map((one) => ({ line: 2, message: `a definition ${one}` }));
  if (problems.length > 0 || description.trim() === "") {
    const empty = { line: 2, message: "the description is empty" };
    return { status: "unsound", problems: problems.length > 0 ? problems : [empty] };
  }
  const words = { name, description, parameters: parametersIn(header) };
  return {
    status: "sound",
    signature: SIGNATURE,
    inputSchema: { type: "object" },
    outputSchema: ANSWER,
    program: programOf(words),
    digest: createHash("sha256").update(canonical(words)).digest("hex"),
  };
}

/**
 * A definition's words may change: its name, its reach, everything else that hone reads, and all that
 * stands behind the front matter may not.
 */
export function definitionFindings(before: SourceText, after: SourceText): Finding[] {
  const [was, is] = [headerOf(before.text), headerOf(after.text)];
  if (is === null) return [{ line: 1, message: "the front matter cannot be read" }];
  const [kept, left] = [withoutWords(was ?? {}), withoutWords(is)];
  const keys = [...new Set([...Object.keys(kept), ...Object.keys(left)])];
  const changed = keys
    .filter((key) => canonical(kept[key] ?? null) !== canonical(left[key] ?? null))
    .map(
      (key) =>
        `changes by its description and its parameters' descriptions alone: ${key} is another`,
    );
  const body =
    bodyOf(before.text) === bodyOf(after.text) ? [] : ["keeps all behind its front matter"];
  return [...changed, ...body, ...wordProblems(is), ...hiddenIn(before.text, after.text)].map(
    (message) => ({ line: 1, message: `a definition ${message}` }),
  );
}

/** Longest text of a description, of the tool and of a parameter. */
const LONGEST = 1_024;

/** What no library would load: words that are no texts, or too long. */
function wordProblems(header: JsonObject): readonly string[] {
  const { description } = header;
  const isText = (value: Json | undefined): boolean =>
    typeof value === "string" && value.length <= LONGEST;
  return [
    ...(isText(description) && description !== ""
      ? []
      : ["has a description of 1 to 1024 characters"]),
    ...Object.entries(parametersIn(header))
      .filter(([, value]) => !isText(value))
      .map(([name]) => `describes ${name} in a text of 1024 characters at most`),
  ];
}

/** Signs that nobody sees, and comments of YAML, which people read and hone does not. */
function hiddenIn(before: string, after: string): readonly string[] {
  const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
  const count = (text: string): number => text.match(invisible)?.length ?? 0;
  const comments = (FRONT_MATTER.exec(after)?.[1] ?? "")
    .split(/\r?\n/)
    .filter((line) => /(?:^|\s)#/.test(line) && !before.includes(line));
  return [
    ...(count(after) > count(before) ? ["has no invisible signs"] : []),
    ...comments.map(() => "brings no comments"),
  ];
}

function bodyOf(text: string): string {
  return text.slice(FRONT_MATTER.exec(text)?.[0].length ?? 0);
}

/** Null for what is no object, and for YAML that refers to parts of itself. */
function headerOf(text: string): JsonObject | null {
  const match = FRONT_MATTER.exec(text);
  if (match?.[1] === undefined) return null;
  try {
    const document = parseDocument(match[1], { uniqueKeys: true });
    if (document.errors.length > 0) return null;
    const value = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 0 }) ?? null)) as Json;
    return isJsonObject(value) ? value : null;
  } catch (thrown) {
    if (thrown instanceof ReferenceError || thrown instanceof TypeError) return null;
    throw thrown;
  }
}

function parametersIn({ metadata }: JsonObject): JsonObject {
  const parameters = isJsonObject(metadata) ? metadata["parameters"] : undefined;
  return isJsonObject(parameters) ? parameters : {};
}

/** The header with the names of the described parameters in the place of their descriptions. */
function withoutWords(header: JsonObject): JsonObject {
  const { description: _, metadata, ...rest } = header;
  const names = Object.keys(parametersIn(header)).toSorted();
  return { ...rest, metadata: isJsonObject(metadata) ? { ...metadata, parameters: names } : null };
}

/** hone's own text: of the definition it has literals alone. */
function programOf(words: JsonObject): Program {
  const text = `async function choose(say, schema, others, ctx) {
  const words = ${JSON.stringify(words)};
  const properties = {};
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const description = words.parameters[key];
    properties[key] = description ? { ...value, description } : value;
  }
  const own = { name: words.name, description: words.description, input: { ...schema, properties } };
  const tools = [own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
  const shown = tools.map((tool) => JSON.stringify(tool)).join("\\n");
  const text = await ctx.model(
    "You have these tools, one a line:\\n" + shown + "\\n\\nRequest: " + say +
      '\\n\\nAnswer with one JSON object and nothing else: {"tool": "<its name>", "input": {<its input>}}',
    ${JSON.stringify(ANSWER)},
  );
  const fenced = /\`\`\`(?:json)?\\s*([\\s\\S]*?)\`\`\`/.exec(text);
  const { tool, input } = JSON.parse(fenced === null ? text : fenced[1]);
  return { tool, input };
}`;
  return { text, entry: "choose", strict: true, takesCtx: true };
}
