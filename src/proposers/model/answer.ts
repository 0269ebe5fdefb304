import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import type { Edit } from "../../domain/candidate.ts";
import type { JsonObject } from "../../domain/json.ts";
import { fitText, unfitText } from "../../domain/unfit-text.ts";

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
  reason: z
    .string()
    .default("")
    .transform((text) => fitText(text.slice(0, 2_000))),
  edits: z.array(edit).min(1).max(20),
});

/** The JSON Schema of an answer, as servers with guided decoding take it. */
export const ANSWER_SCHEMA: JsonObject = JSON.parse(
  JSON.stringify(
    z.toJSONSchema(z.strictObject({ reason: z.string(), edits: z.array(edit).min(1) })),
  ),
);

/**
 * Finds the patch in what a model wrote: plain JSON, JSON in fences, behind prose, with the slips
 * that models make, or in the reasoning; at last a lone block of code that has the function in it.
 * Whatever a server promised of the form is not believed.
 */
export function readAnswer(text: string, reasoning: string, entry: string): Read {
  const read = patchOf(text, reasoning, entry);
  if (read.status === "no-patch") return read;
  const texts = read.edits.flatMap((one) => ("target" in one ? [one.target] : []));
  const codes = read.edits.flatMap((one) => ("code" in one ? [one.code] : []));
  const unfit = unfitText([...texts, ...codes].join("\n"));
  return unfit === null ? read : { status: "no-patch", problem: `its code ${unfit}` };
}

function patchOf(text: string, reasoning: string, entry: string): Read {
  if (text.length + reasoning.length > LONGEST) {
    return { status: "no-patch", problem: `it is longer than ${LONGEST} characters` };
  }
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

/** No patch is as long. */
const LONGEST = 400_000;

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

/** How deep brackets stand outside of texts. One pass: a model may write anything. */
function depthOf(text: string): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isText = !isText;
    else if (isText && sign === "\\") at += 1;
    else if (!isText && (sign === "{" || sign === "[")) deepest = Math.max(deepest, (depth += 1));
    else if (!isText && (sign === "}" || sign === "]")) depth -= 1;
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
  if (typeof one !== "object" || one === null) return one;
  const op = "target" in one ? "replace" : "add";
  const told: Readonly<Record<string, unknown>> = { op, ...one };
  const { target: where, code: text } = told;
  return {
    ...told,
    ...(typeof where === "string" && FILE.test(where) ? { target: "*" } : {}),
    ...(typeof text === "string" ? { code: withoutFence(text) } : {}),
  };
}

/** The file itself is the whole file. */
const FILE = /^(?:\.?[\w./-]*\/)?skill\.[jt]s$/;

/** Code that was put between fences once more, inside the JSON. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const [block, ...others] = blocksIn(trimmed);
  if (block === undefined || others.length > 0) return text;
  const isAll = block.from === 0 && block.to === trimmed.split("\n").length;
  return isAll ? block.code : text;
}

type Block = {
  readonly language: string;
  readonly code: string;
  /** Its lines, the fences included: from the first up to the one behind the last. */
  readonly from: number;
  readonly to: number;
};

/** Blocks between fences, line by line: an end is as long as its beginning, as CommonMark has it. */
function blocksIn(text: string): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly language: string; readonly at: number } | null =
    null;
  for (const [at, line] of lines.entries()) {
    const [, fence = "", rest = ""] = /^[ \t]*(`{3,99}|~{3,99})(?![`~])(.*)$/.exec(line) ?? [];
    if (fence === "") continue;
    if (open === null) {
      const [language = ""] = rest.trim().split(/\W/, 1);
      open = { fence, language: language.toLowerCase(), at };
    } else if (fence === open.fence && rest.trim() === "") {
      const code = lines.slice(open.at + 1, at).join("\n");
      blocks.push({ language: open.language, code, from: open.at, to: at + 1 });
      open = null;
    }
  }
  return blocks;
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
