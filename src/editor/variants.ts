import { Script } from "node:vm";
import type { ts } from "ts-morph";
import type { Edit } from "../domain/candidate.ts";
import type { Program } from "../domain/skill.ts";
import type { SourceText, Variants } from "../ports/editor.ts";
import type { Seat } from "../ports/sandbox.ts";
import { programOf } from "./enumerate.ts";
import { fuelFor } from "./fuel.ts";
import { lineEndOf, splice, withLineEnds, type Splice } from "./splices.ts";
import { type Place, placesOf } from "./variant-places.ts";
import { parse } from "./syntax.ts";
import { switched, type Chosen } from "./switched.ts";
import { wrapped } from "./wrapping.ts";

/** One change on its way into the common program, by its position among all. */
type Change = {
  readonly at: number;
  readonly splices: readonly Splice[];
  /** Where it goes; null where it needs a program of its own. */
  readonly places: readonly Place[] | null;
};

type Common = {
  readonly program: Program;
  readonly file: ts.SourceFile;
  readonly isWhole: boolean;
};

/** Programs, each a function of the variant that it is to be; where each change has gone. */
type Parts = { readonly text: string; readonly seats: ReadonlyMap<number, Seat> };

/**
 * One program that carries many changes of a source (mutant schemata: Untch, Offutt, Harrold,
 * ISSTA 1993): at each place that some change touches, a switch chooses what runs. A change that
 * comes down to no such place has a program of its own beside the common one. Null for a source
 * that uses hone's own names.
 *
 * The text is an expression: an array of functions of `(variant, fuel, spent)`, each of which makes
 * a new instance of the program and gives back its entry and how much fuel is left.
 */
export function variants(
  source: SourceText,
  changes: readonly (readonly Edit[])[],
): Variants | null {
  const program = programOf(source);
  if (program.text.includes("__hone_") || program.entry === "") return null;
  const lineEnd = lineEndOf(source.text);
  const file = parse(program.text, "js");
  const isWhole = isCompiled(program, program.text);
  const all = changes.map((edits, at) => {
    const splices = splicesOf(edits, lineEnd);
    return { at, splices, places: isWhole ? placesOf(splices, file) : null };
  });
  const common = { program, file, isWhole };
  const whole = partsOf(common, all);
  const sound = isSound(whole) ? whole : partsOf(common, soundOf(common, all));
  const seats = changes.map((_, at) => sound.seats.get(at) ?? null);
  return { program: { ...program, text: sound.text }, seats };
}

/** The changes that the engine compiles: of those that it does not together, each half for itself. */
function soundOf(common: Common, changes: readonly Change[]): readonly Change[] {
  if (changes.length === 0 || isSound(partsOf(common, changes))) return changes;
  if (changes.length === 1) return [];
  const half = changes.length >> 1;
  return [...soundOf(common, changes.slice(0, half)), ...soundOf(common, changes.slice(half))];
}

function isSound({ text }: Parts): boolean {
  return isCompiled({ strict: false }, text);
}

function splicesOf(edits: readonly Edit[], lineEnd: string): readonly Splice[] {
  return edits.flatMap((edit) =>
    edit.op === "splice"
      ? [{ start: edit.start, end: edit.end, text: withLineEnds(edit.text, lineEnd) }]
      : [],
  );
}

function partsOf({ program, file, isWhole }: Common, changes: readonly Change[]): Parts {
  const seats = new Map<number, Seat>();
  const chosen = changes.flatMap(({ at, places }) =>
    (places ?? []).map((place): Chosen => ({ place, change: at })),
  );
  const { placed, ids, left } = switched(chosen);
  const text = wrapped(program.text, [...fuelFor(file, file), ...placed]);
  const texts = [isWhole ? instance(program, text) : BROKEN];
  for (const { at, splices, places } of changes) {
    const isApart = places === null || left.has(at);
    seats.set(at, isApart ? [texts.length, 0] : [0, ids.get(at) ?? 0]);
    if (isApart) texts.push(instance(program, alone(program, splices)));
  }
  return { text: `[${texts.join(",\n")}]`, seats };
}

/** In the place of a source that does not compile. */
const BROKEN = '(()=>{throw new SyntaxError("the program does not compile")})';

function alone(program: Program, splices: readonly Splice[]): string {
  const text = splice(program.text, splices);
  const file = parse(text, "js");
  return wrapped(text, fuelFor(file, file));
}

/** A program as a function that makes an instance of it. */
function instance({ entry, strict }: Program, text: string): string {
  return (
    `(function(__hone_variant,__hone_fuel,__hone_spent){${strict ? '"use strict";' : ""}${text}\n` +
    `;return[typeof ${entry}==="function"?${entry}:undefined,()=>__hone_fuel]})`
  );
}

function isCompiled({ strict }: Pick<Program, "strict">, text: string): boolean {
  try {
    void new Script(strict ? `"use strict";${text}` : text, { filename: "skill.js" });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return false;
  }
}
