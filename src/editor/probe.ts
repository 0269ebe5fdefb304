import type { ts } from "ts-morph";
import { Script } from "node:vm";
import type { Suspicion } from "../domain/incident.ts";
import type { Mutation, Noted, Probe, SourceText } from "../ports/editor.ts";
import { candidatesFor } from "../proposers/search/synthesis/candidates.ts";
import { holesOf, type Hole } from "../proposers/search/synthesis/holes.ts";
import { markText, recorderText } from "../proposers/search/synthesis/recorder.ts";
import { sceneOf, type Scene } from "../proposers/search/scene.ts";
import { entryOf } from "./entry.ts";
import { programOf } from "./enumerate.ts";
import { fuelFor } from "./fuel.ts";
import { lineEndOf, splice, withLineEnds } from "./splices.ts";
import { parse } from "./syntax.ts";
import { wrapped, type Placed } from "./wrapping.ts";

type Search = { readonly suspicions: readonly Suspicion[]; readonly limit: number };

/** A program with its holes; the last one is asked for hole by hole. */
type Seen = { readonly key: string; readonly holes: readonly Hole[]; readonly scene: Scene };
let last: Seen | null = null;

/**
 * A program that takes a plan before its arguments and gives back what it noted at its holes (see
 * `recorder.ts`); null for a source that cannot be carried.
 */
export function probe(source: SourceText, search: Search): Probe | null {
  const program = programOf(source);
  if (program.text.includes("__hone_") || program.entry === "") return null;
  const { holes, scene } = seen(source, search);
  const placed = [...fuelFor(scene.file, scene.file), ...holes.map(placedOf)];
  const text = wrapped(program.text, placed) + recorderText(program.entry);
  if (!isCompiled(program.strict ? `"use strict";${text}` : text)) return null;
  const { ctxAt } = program;
  return {
    program: {
      ...program,
      text,
      entry: "__hone_probe",
      ...(ctxAt === undefined ? {} : { ctxAt: ctxAt + 1 }),
    },
    holes: holes.map(({ kind, node, isResult, isRecursive, weight }) => ({
      kind,
      start: node.getStart(scene.file),
      end: node.end,
      weight,
      isResult: isResult && !isRecursive,
    })),
  };
}

/** Changes that put another expression into one hole of a probe, the likeliest first. */
export function synthesise(
  source: SourceText,
  search: Search & { readonly hole: number; readonly work: number },
  noted: Noted,
): readonly Mutation[] {
  const { holes, scene } = seen(source, search);
  const hole = holes[search.hole];
  if (hole === undefined) return [];
  const program = programOf(source);
  const lineEnd = lineEndOf(source.text);
  return candidatesFor(hole, noted, { scene, work: search.work }).map(
    ({ operator, splices, prior }) => {
      const edits = splices.map((edit) => ({ ...edit, text: withLineEnds(edit.text, lineEnd) }));
      const after = { ...program, text: splice(program.text, edits) };
      return { edits, operator, prior, program: after };
    },
  );
}

/** Holes are found in the program: its offsets are the source's, and it has no types. */
function seen(source: SourceText, { suspicions, limit }: Search): Seen {
  const key = JSON.stringify([source.text, source.language, source.entry, suspicions, limit]);
  if (last?.key === key) return last;
  const file = parse(programOf(source).text, "js");
  const scene = sceneOf(file);
  const entry = entryIn(file, source);
  const holes = entry === null ? [] : holesOf(scene, { suspicions, entry }, limit);
  last = { key, holes, scene };
  return last;
}

/** The entry's node in the tree of the program. */
function entryIn(file: ts.SourceFile, source: SourceText): ts.Node | null {
  const { entry } = entryOf(parse(source.text, source.language), source);
  if (entry === null) return null;
  const { name } = entry;
  return entryOf(file, { text: file.text, language: "js", entry: name }).entry?.node ?? null;
}

function placedOf({ kind, node, atoms }: Hole, hole: number): Placed {
  const start = node.getStart();
  const mark = markText(
    hole,
    atoms.map(({ text }) => text),
  );
  if (kind === "guard") return { start, end: start, rank: 0, open: `${mark};`, close: "" };
  return { start, end: node.end, rank: 1, open: `__hone_was(${hole},${mark},(`, close: "))" };
}

function isCompiled(text: string): boolean {
  try {
    void new Script(text, { filename: "skill.js" });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return false;
  }
}
