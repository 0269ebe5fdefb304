import { diffWordsWithSpace, parsePatch, structuredPatch, type StructuredPatchHunk } from "diff";
import type { JSX } from "preact";
import { Empty } from "./loaded.tsx";

type Part = { readonly text: string; readonly isChanged: boolean };

type Line = {
  readonly kind: "same" | "gone" | "new";
  readonly before: number | null;
  readonly after: number | null;
  readonly parts: readonly Part[];
};

type File = { readonly name: string; readonly hunks: readonly StructuredPatchHunk[] };

/** Lines of one hunk that are drawn at most. */
const MOST_LINES = 2_000;

/** Longer lines are not compared word by word. */
const LONGEST_LINE = 2_000;

/** A diff as git prints it. */
export function GitDiff({ text }: { readonly text: string }): JSX.Element {
  const files = parsePatch(text).map(({ newFileName = "", oldFileName = "", hunks }) => ({
    name: nameOf(newFileName === "/dev/null" ? oldFileName : newFileName),
    hunks,
  }));
  return <Files of={files} />;
}

/** What changed from one text to another. */
export function TextDiff({
  name,
  before,
  after,
}: {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  const { hunks } = structuredPatch(name, name, before, after, undefined, undefined, {
    context: 3,
  });
  return <Files of={[{ name, hunks }]} />;
}

function nameOf(path: string): string {
  return path.replace(/^[ab]\//, "");
}

function Files({ of }: { readonly of: readonly File[] }): JSX.Element {
  const changed = of.filter(({ hunks }) => hunks.length > 0);
  if (changed.length === 0) return <Empty>The two are the same.</Empty>;
  return (
    <div class="diff">
      {changed.map(({ name, hunks }) => (
        <section key={name} aria-label={name}>
          <h3 class="mono wrap">{name}</h3>
          <div class="scroll" tabIndex={0} role="group" aria-label={`Changes of ${name}`}>
            <table class="code">
              <tbody>
                {hunks.map((hunk) => (
                  <Hunk key={`${hunk.oldStart}-${hunk.newStart}`} of={hunk} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </div>
  );
}

function Hunk({ of }: { readonly of: StructuredPatchHunk }): JSX.Element {
  return (
    <>
      <tr class="hunk">
        <td colSpan={3}>
          Lines {of.newStart} to {of.newStart + Math.max(0, of.newLines - 1)}
        </td>
      </tr>
      {linesOf(of).map((line, at) => (
        <tr key={at} class={line.kind}>
          <td class="line-no">{line.kind === "new" ? "" : line.before}</td>
          <td class="line-no">{line.kind === "gone" ? "" : line.after}</td>
          <td class="text">
            <span class="sign">{SIGNS[line.kind]}</span>
            {line.parts.map(({ text, isChanged }, part) =>
              isChanged ? <mark key={part}>{text}</mark> : text,
            )}
          </td>
        </tr>
      ))}
    </>
  );
}

const SIGNS = { same: " ", gone: "−", new: "+" } as const;

function linesOf({ lines, oldStart, newStart }: StructuredPatchHunk): readonly Line[] {
  let [before, after] = [oldStart, newStart];
  const shown = lines.filter((line) => !line.startsWith("\\")).slice(0, MOST_LINES);
  const words = wordsOf(shown);
  return shown.map((line, at) => {
    const parts = words.get(at) ?? [{ text: line.slice(1), isChanged: false }];
    if (line.startsWith("-")) return { kind: "gone", before: before++, after: null, parts };
    if (line.startsWith("+")) return { kind: "new", before: null, after: after++, parts };
    return { kind: "same", before: before++, after: after++, parts };
  });
}

/** Of runs of as many lines gone as new ones, the words that differ, by the number of the line. */
function wordsOf(lines: readonly string[]): ReadonlyMap<number, readonly Part[]> {
  const found = new Map<number, readonly Part[]>();
  for (let at = 0; at < lines.length;) {
    const gone = countFrom(lines, at, "-");
    const added = countFrom(lines, at + gone, "+");
    if (gone > 0 && gone === added) {
      for (let each = at; each < at + gone; each += 1) pairUp(lines, [each, each + gone], found);
    }
    at += Math.max(1, gone + added);
  }
  return found;
}

function pairUp(
  lines: readonly string[],
  [gone, added]: readonly [number, number],
  found: Map<number, readonly Part[]>,
): void {
  const [before = "", after = ""] = [lines[gone]?.slice(1), lines[added]?.slice(1)];
  if (before.length > LONGEST_LINE || after.length > LONGEST_LINE) return;
  const changes = diffWordsWithSpace(before, after);
  if (!changes.some((change) => !change.added && !change.removed && change.value.trim() !== ""))
    return;
  const partsOf = (left: "added" | "removed"): readonly Part[] =>
    changes
      .filter((change) => !change[left])
      .map((change) => ({ text: change.value, isChanged: change.added || change.removed }));
  found.set(gone, partsOf("added"));
  found.set(added, partsOf("removed"));
}

function countFrom(lines: readonly string[], start: number, sign: string): number {
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith(sign));
  return (end === -1 ? lines.length : end) - start;
}
