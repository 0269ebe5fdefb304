import { createHash } from "node:crypto";
import { HoneError } from "../../domain/errors.ts";
import { personLine } from "./environment.ts";

/** An object that is made but not written: its id is the hash of what it says. */
export type NewObject = {
  readonly type: "blob" | "tree" | "commit";
  readonly id: string;
  readonly content: Buffer;
};

/** A blob of a text, byte for byte: no filter and no line-end setting sees it. */
export function blobOf(text: string): NewObject {
  if (text.isWellFormed()) return objectOf("blob", Buffer.from(text, "utf8"));
  throw new HoneError("git-failed", "a text with half a surrogate pair cannot be written", {
    hint: "Replace the broken character in the proposed file.",
  });
}

/** A commit by hone; `at` is in milliseconds since the epoch. */
export function commitOf(commit: {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly at: number;
}): NewObject {
  const person = personLine(commit.at);
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
    "",
    messageOf(commit.message),
  ];
  return objectOf("commit", Buffer.from(lines.join("\n"), "utf8"));
}

/** An object of given content. The id is git's: SHA-1 over type, length and content. */
export function objectOf(type: NewObject["type"], content: Buffer): NewObject {
  const hash = createHash("sha1")
    .update(`${type} ${String(content.length)}\0`)
    .update(content);
  return { type, id: hash.digest("hex"), content };
}

function messageOf(message: string): string {
  const text = message.trim();
  if (text !== "" && !text.includes("\0") && text.isWellFormed()) return `${text}\n`;
  throw new HoneError("git-failed", "a commit's message is text, and not empty", {
    hint: "Remove NUL and broken characters from the reason of the candidate.",
  });
}
