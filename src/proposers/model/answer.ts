import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import type { Edit } from "../../domain/candidate.ts";
import type { JsonObject } from "../../domain/json.ts";

/** What an answer says, or why it says nothing that can be used. */
export type Read =
  | { readonly status: "patch"; readonly reason: string; readonly edits: readonly Edit[] }
  | { readonly status: "no-patch"; readonly problem: string };

const target = z.string().min(1).max(200);
const code = z.string().max(200_000);
const edit = z.union([
  z.object({ op: z.literal("replace"), target, code }),
  z.object({ op: z.literal("body"), target, code }),
  z.object({ op: z.literal("add"), code }),
]);
const answer = z.object({
  reason: z.string().max(2_000).default(""),
  edits: z.array(edit).min(1).max(20),
});

/** The JSON Schema of an answer, as servers with guided decoding take it. */
export const ANSWER_SCHEMA: JsonObject = JSON.parse(
  JSON.stringify(z.toJSONSchema(z.strictObject({ reason: z.string(), edits: z.array(edit) }))),
);

/**
 * Finds the patch in what a model wrote: plain JSON, JSON in fences, behind prose, with the slips
 * that models make, or in the reasoning; at last a lone block of code that has the function in it.
 * Whatever a server promised of the form is not believed.
 */
export function readAnswer(text: string, reasoning: string, entry: string): Read {
  const problems: string[] = [];
  for (const source of [text, reasoning]) {
    for (const piece of piecesOf(source)) {
      const parsed = patchIn(piece);
      if (parsed.status === "patch") return parsed;
      problems.push(parsed.problem);
    }
  }
  const block = loneCode(text, entry) ?? loneCode(reasoning, entry);
  if (block !== null) return block;
  const [first = "it has no JSON object in it"] = problems;
  return { status: "no-patch", problem: text === "" && reasoning === "" ? "it is empty" : first };
}

/** Where JSON may be: the whole, each fenced block, and from the first brace to the last. */
function* piecesOf(text: string): Generator<string> {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) yield trimmed;
  for (const { code: block } of blocksIn(text))
    if (block.trim().startsWith("{")) yield block.trim();
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (from > 0 && to > from) yield text.slice(from, to + 1);
  const named = text.search(/\{\s*"(?:reason|edits)"/);
  if (named > 0 && named !== from) yield text.slice(named, Math.max(named, to + 1));
}

function patchIn(piece: string): Read {
  const value = jsonIn(piece);
  if (value === undefined) return { status: "no-patch", problem: "its JSON cannot be read" };
  const parsed = answer.safeParse(lenient(value));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "the object";
    return { status: "no-patch", problem: `${where}: ${issue?.message ?? "not as asked"}` };
  }
  return { status: "patch", ...parsed.data };
}

/** Deeper JSON is no answer. */
const DEEPEST = 40;

function jsonIn(text: string): unknown {
  if (depthOf(text) > DEEPEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(jsonrepair(text));
    } catch {
      return undefined;
    }
  }
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const sign of text.replace(/"(?:[^"\\]|\\.)*"/g, "")) {
    if (sign === "{" || sign === "[") deepest = Math.max(deepest, (depth += 1));
    else if (sign === "}" || sign === "]") depth -= 1;
  }
  return deepest;
}

/** One edit that stands alone, and an edit without its `op`, are understood too. */
function lenient(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { edits, edit: single, code: text, ...rest } = value as Readonly<Record<string, unknown>>;
  const listed =
    edits ?? single ?? (typeof text === "string" ? { ...rest, code: text } : undefined);
  const list = Array.isArray(listed) ? listed : listed === undefined ? undefined : [listed];
  return { ...rest, edits: list?.map(withOp) };
}

function withOp(one: unknown): unknown {
  if (typeof one !== "object" || one === null || "op" in one) return one;
  return { op: "target" in one ? "replace" : "add", ...one };
}

type Block = { readonly language: string; readonly code: string };

function blocksIn(text: string): readonly Block[] {
  const fences = /^[ \t]*(`{3,}|~{3,})[ \t]*(\w*)[^\n]*\n([\s\S]*?)\n[ \t]*\1[ \t]*$/gm;
  return [...text.matchAll(fences)].map(([, , language = "", inner = ""]) => ({
    language: language.toLowerCase(),
    code: inner,
  }));
}

const CODE: ReadonlySet<string> = new Set(["", "ts", "js", "typescript", "javascript", "mjs"]);

/** The beginning of a declaration at the top of a file. */
const DECLARATION =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function|const|let|var|class|type|interface)\b/gm;

/** A single block of code with the function in it is the whole file, or that declaration. */
function loneCode(text: string, entry: string): Read | null {
  const blocks = blocksIn(text).filter(({ language }) => CODE.has(language));
  const [block] = blocks;
  if (block === undefined || blocks.length > 1) return null;
  const declares = new RegExp(
    `\\b(?:function\\s*\\*?|const|let|var|class)\\s+${escaped(entry)}\\b`,
  );
  if (!declares.test(block.code)) return null;
  const isWhole = (block.code.match(DECLARATION) ?? []).length > 1;
  const edits = [
    { op: "replace", target: isWhole ? "*" : entry, code: `${block.code}\n` } as const,
  ];
  return { status: "patch", reason: "", edits };
}

function escaped(name: string): string {
  return name.replace(/[$]/g, "\\$&");
}
