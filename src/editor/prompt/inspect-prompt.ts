import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Program } from "../../domain/skill.ts";
import type { Finding, Inspection, SourceText } from "../../ports/editor.ts";
import { readPrompt, type ReadPrompt } from "./read-prompt.ts";

/** What a prompt says about itself: its variables are its parameters, and its program asks the model. */
export function inspectPrompt({ text }: Pick<SourceText, "text">): Inspection {
  const read = readPrompt(text);
  if (read.problems.length > 0) return { status: "unsound", problems: read.problems };
  const { variables, answer } = read;
  const parameters = variables.map((name) => ({ name, optional: false, schema: {} }));
  const properties = Object.fromEntries(variables.map((name) => [name, {}]));
  const inputSchema: JsonObject = {
    type: "object",
    properties,
    required: [...variables],
    additionalProperties: false,
  };
  return {
    status: "sound",
    signature: { name: "prompt", parameters, takesCtx: true, isAsync: true },
    inputSchema,
    outputSchema: answer === "json" ? {} : { type: "string" },
    program: programOf(read),
    digest: digestOf(text),
  };
}

/** What a change of a prompt must leave alone: its variables, and what its answer is. */
export function promptContractFindings(before: SourceText, after: SourceText): Finding[] {
  const [was, is] = [readPrompt(before.text), readPrompt(after.text)];
  const missing = was.variables.filter((name) => !is.variables.includes(name));
  const added = is.variables.filter((name) => !was.variables.includes(name));
  return [
    ...is.problems,
    ...missing.map((name) => ({ line: 1, message: `the variable {{${name}}} is gone` })),
    ...added.map((name) => ({ line: 1, message: `the variable {{${name}}} is new` })),
    ...(was.answer === is.answer
      ? []
      : [{ line: 1, message: `the answer was ${was.answer}, and is ${is.answer} now` }]),
  ];
}

/**
 * A changed prompt may not have in it what the visible cases ask or expect: it would be measured on
 * what it was told (an answer of three letters is a word like others).
 */
export function promptPolicyFindings(
  before: SourceText,
  after: SourceText,
  visible: readonly Json[],
): Finding[] {
  return textsIn(visible)
    .filter((text) => text.length >= TELLING)
    .filter((text) => after.text.includes(text) && !before.text.includes(text))
    .map((text) => ({
      line: after.text.slice(0, after.text.indexOf(text)).split("\n").length,
      message: `special-cased input: the prompt has ${JSON.stringify(clip(text))} in it, which a visible case has`,
    }));
}

/** Shorter texts of a case are words that a prompt may have for many reasons. */
const TELLING = 12;

function textsIn(values: readonly Json[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (typeof value === "string") return [value];
    if (value === null || typeof value !== "object") return [];
    return textsIn(Array.isArray(value) ? value : Object.values(value as JsonObject));
  });
}

/**
 * The program of a prompt: texts and variables put together, one question to the model, and its
 * answer read. It is hone's own text; of the prompt it has literals alone.
 */
function programOf({ texts, slots, variables, answer }: ReadPrompt): Program {
  const names = variables.map((_, at) => `p${at}`);
  const parts = texts.flatMap((text, at) => {
    const slot = slots[at];
    const shown = slot === undefined ? [] : [`shown(p${variables.indexOf(slot)})`];
    return [JSON.stringify(text), ...shown];
  });
  const read =
    answer === "text"
      ? "return text.trim();"
      : `const fenced = /\`\`\`(?:json)?\\s*([\\s\\S]*?)\`\`\`/.exec(text);
  return JSON.parse(fenced === null ? text : fenced[1]);`;
  const text = `async function prompt(${[...names, "ctx"].join(", ")}) {
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const text = await ctx.model([${parts.join(", ")}].join(""));
  ${read}
}`;
  return { text, entry: "prompt", strict: true, takesCtx: true };
}

/** Blanks at the ends of lines do not count. */
function digestOf(text: string): string {
  const normal = text
    .replace(/[ \t]+$/gm, "")
    .replace(/\r\n/g, "\n")
    .trim();
  return createHash("sha256").update(normal).digest("hex");
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
