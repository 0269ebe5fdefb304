import type { CaseWorld } from "../../src/domain/case.ts";
import type { Json } from "../../src/domain/json.ts";
import { chanceOf, type Chance } from "../../src/proposers/search/chance.ts";

/** Draws of the kinds of values that the corpus is asked with. */
export type Draw = Chance & {
  readonly int: (from: number, to: number) => number;
  readonly list: <T>(most: number, one: () => T) => T[];
  readonly word: () => string;
  readonly text: (alphabet: string, most: number) => string;
  readonly flag: () => boolean;
};

export function drawOf(seed: number): Draw {
  const chance = chanceOf(seed);
  const int = (from: number, to: number): number => from + chance.below(to - from + 1);
  const list = <T>(most: number, one: () => T): T[] =>
    Array.from({ length: int(0, most) }, () => one());
  const text = (alphabet: string, most: number): string =>
    list(most, () => chance.of(alphabet.split(""))).join("");
  const word = (): string =>
    chance.of("apple,Pear,fig,kiwi,plum,Lime,date,nut,oak,rose,tea,ivy".split(","));
  return { ...chance, int, list, text, word, flag: () => chance.below(2) === 0 };
}

/** A correct function and how to ask it. */
export type Sound = {
  readonly source: string;
  readonly args: (draw: Draw) => readonly Json[];
  /** The world in which it is asked, where it asks anything of it. */
  readonly world?: (draw: Draw, args: readonly Json[]) => CaseWorld;
};

/** A sound function, its source ending as files do. */
export function sound(args: Sound["args"], source: string): Sound {
  return { args, source: `${source}\n` };
}
