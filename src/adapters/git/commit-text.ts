import type { CommitInfo } from "../../ports/repository.ts";
import { isHonesIdentity } from "./environment.ts";
import type { GitObject } from "./object-reader.ts";

export type ParsedCommit = CommitInfo & { readonly tree: string; readonly committer: string };

/** What each of hone's commits carries one of: a release, a rollback, a merge of people's work. */
const MARKS = ["Hone-Evidence", "Hone-Reverts", "Hone-Retires", "Hone-Adopts"];

/** Whether hone made a commit. One that a person picked or amended keeps the trailers, no more. */
export function isByHone({ committer, trailers }: ParsedCommit): boolean {
  return isHonesIdentity(committer) && MARKS.some((mark) => trailers[mark] !== undefined);
}

/** What a commit object says. The commit's own bytes are read, so no format option can mislead. */
export function parseCommit({ id, bytes }: GitObject): ParsedCommit {
  const text = bytes.toString("utf8");
  const end = text.indexOf("\n\n");
  const headers = (end === -1 ? text : text.slice(0, end)).split("\n");
  const message = end === -1 ? "" : text.slice(end + 2).trimEnd();
  const [subject, body] = splitMessage(message);
  return {
    commit: id,
    tree: valuesOf(headers, "tree")[0] ?? "",
    parents: valuesOf(headers, "parent"),
    author: personOf(valuesOf(headers, "author")[0] ?? ""),
    committer: personOf(valuesOf(headers, "committer")[0] ?? ""),
    at: timeOf(valuesOf(headers, "committer")[0] ?? ""),
    subject,
    body,
    trailers: trailersOf(body),
  };
}

/** Lines of a signature begin with a blank, so none of them is taken for a header. */
function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers
    .filter((header) => header.startsWith(`${name} `))
    .map((header) => header.slice(name.length + 1));
}

function personOf(line: string): string {
  return line.replace(/ -?\d+ [+-]\d{4}$/, "");
}

function timeOf(person: string): number {
  return Number(/ (-?\d+) [+-]\d{4}$/.exec(person)?.[1] ?? "0") * 1000;
}

/** As git does: the subject is the first paragraph on one line, the body is all that follows. */
function splitMessage(message: string): readonly [string, string] {
  const [, subject = "", body = ""] = /^\n*([\s\S]*?)(?:\n\s*\n([\s\S]*))?$/.exec(message) ?? [];
  return [subject.replaceAll("\n", " ").trim(), body.trim()];
}

/** The `Hone-*` lines of the last paragraph, continued lines joined. */
function trailersOf(body: string): Readonly<Record<string, string>> {
  const paragraph = body.split(/\n\s*\n/).at(-1) ?? "";
  const lines = paragraph.replaceAll(/\n[ \t]+/g, " ").split("\n");
  const members = lines.flatMap((line) => {
    const [, name, value] = /^(Hone-[A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, (value ?? "").trim()] as const];
  });
  return Object.fromEntries(members);
}
