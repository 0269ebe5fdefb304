import { Script } from "node:vm";
import type { Edit } from "../domain/candidate.ts";
import type { Program } from "../domain/skill.ts";
import type { SourceText, Variants } from "../ports/editor.ts";
import { programOf } from "./enumerate.ts";
import { fuelFor } from "./fuel.ts";
import { lineEndOf, splice, withLineEnds, type Splice } from "./splices.ts";
import { placesOf } from "./variant-places.ts";
import { parse } from "./syntax.ts";
import { switched, type Chosen } from "./switched.ts";
import { wrapped } from "./wrapping.ts";

/** One change on its way into the common program, by its position among all. */
type Change = { readonly at: number; readonly splices: readonly Splice[] };

/** Programs, each a function of the variant that it is to be; where each change has gone. */
type Parts = { readonly texts: readonly string[]; readonly seats: Variants["seats"] };

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
  const all = changes.map((edits, at) => ({ at, splices: splicesOf(edits, lineEnd) }));
  const parts = sound(program, all, partsOf(program, all));
  return { program: { ...program, text: `[${parts.texts.join(",\n")}]` }, seats: parts.seats };
}

function splicesOf(edits: readonly Edit[], lineEnd: string): readonly Splice[] {
  return edits.flatMap((edit) =>
    edit.op === "splice"
      ? [{ start: edit.start, end: edit.end, text: withLineEnds(edit.text, lineEnd) }]
      : [],
  );
}

function partsOf(program: Program, changes: readonly Change[]): Parts {
  const file = parse(program.text, "js");
  const seats: (readonly [number, number] | null)[] = changes.map(() => null);
  const chosen: Chosen[] = [];
  const apart: Change[] = [];
  const isWhole = isCompiled(program, program.text);
  for (const change of changes) {
    const places = isWhole ? placesOf(change.splices, file) : null;
    if (places === null) apart.push(change);
    else for (const place of places) chosen.push({ place, change: change.at });
  }
  const { placed, ids, left } = switched(chosen);
  for (const [change, id] of ids) seats[change] = [0, id];
  const others = [...apart, ...changes.filter(({ at }) => left.has(at))];
  const common = wrapped(program.text, [...fuelFor(file, file), ...placed]);
  const texts = [isWhole ? instance(program, common) : BROKEN];
  for (const { at, splices } of others) {
    seats[at] = [texts.length, 0];
    texts.push(instance(program, alone(program, splices)));
  }
  return { texts, seats };
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

/** The parts without the changes that the engine would not compile: they have no seat. */
function sound(program: Program, changes: readonly Change[], parts: Parts): Parts {
  if (isCompiled(program, `[${parts.texts.join(",\n")}]`)) return parts;
  const isSound = new Map(
    changes.map(({ at, splices }) => [at, isCompiled(program, splice(program.text, splices))]),
  );
  const again = partsOf(
    program,
    changes.filter(({ at }) => isSound.get(at)),
  );
  return again;
}

function isCompiled({ strict }: Program, text: string): boolean {
  try {
    void new Script(strict ? `"use strict";${text}` : text, { filename: "skill.js" });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return false;
  }
}
