import { InvalidArgumentError } from "commander";

/** Reads an option that is a whole number of at least `least`; commander tells what is wrong. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}

/** Reads an option that may be given several times; its default is an empty list. */
export function repeated(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Reads an option that is a list of words from a closed set, as `a,b`. */
export function wordsOf<W extends string>(allowed: readonly W[]): (text: string) => readonly W[] {
  return (text) =>
    text.split(",").map((part) => {
      const word = allowed.find((each) => each === part.trim());
      if (word !== undefined) return word;
      throw new InvalidArgumentError(`${part.trim()} is none of ${allowed.join(", ")}.`);
    });
}
