import { createHash } from "node:crypto";

/** Of whom a file is: nobody's, since there is none; hone's as written; hone's, changed; another's. */
export type Found =
  | { readonly kind: "none" }
  | { readonly kind: "another's" }
  | { readonly kind: "ours" | "changed"; readonly workspace: string };

const MARK = "hone-service ";

/**
 * A text with a line that says hone wrote it, for which workspace, and a digest of all the rest, so
 * that a later hone knows a file that somebody else wrote or changed. `comment` has the line's two
 * ends. Where the text has a first line of its own that must stay first, the mark is the second.
 */
export function marked(
  text: string,
  workspace: string,
  comment: readonly [before: string, after: string],
): string {
  const fact = JSON.stringify({ workspace, sha256: digestOf(text) }).replaceAll("--", "-\\u002d");
  const line = `${comment[0]}${MARK}${fact}${comment[1]}\n`;
  if (!text.startsWith("<?")) return line + text;
  const end = text.indexOf("\n") + 1;
  return text.slice(0, end) + line + text.slice(end);
}

/** Whose a file is, by its text; null where there is none. */
export function whose(text: string | null): Found {
  if (text === null) return { kind: "none" };
  const lines = text.split("\n");
  const at = lines.slice(0, 2).findIndex((line) => line.includes(MARK));
  const fact = factIn(lines[at] ?? "");
  if (at < 0 || fact === null) return { kind: "another's" };
  const rest = lines.toSpliced(at, 1).join("\n");
  const kind = digestOf(rest) === fact.sha256 ? "ours" : "changed";
  return { kind, workspace: fact.workspace };
}

function factIn(line: string): { readonly workspace: string; readonly sha256: string } | null {
  try {
    const [json = ""] = /\{.*\}/.exec(line) ?? [];
    const { workspace, sha256 } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    return typeof workspace === "string" && typeof sha256 === "string"
      ? { workspace, sha256 }
      : null;
  } catch {
    return null;
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
