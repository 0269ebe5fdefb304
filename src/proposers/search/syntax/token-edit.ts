/** The first thing that is wrong with a text, as an offset. */
export type Fault = {
  readonly at: number;
  readonly message: string;
  /** How many things the parser has against the text; the engine names one. */
  readonly count: number;
};

/** Looks for the first fault of a text; null where it can be run. */
export type FaultOf = (text: string) => Fault | null;

export type TextSplice = { readonly start: number; readonly end: number; readonly text: string };

/** One step towards a text that parses. */
export type TokenEdit = {
  /** Disjoint, in the order of their positions. */
  readonly splices: readonly TextSplice[];
  /**
   * How unlikely it is that this is what was meant, as a negative logarithm up to a constant. The
   * order follows what compilers were found to be told most: brackets first, then quotes,
   * separators and misspelt words (Brown and Altadmri, ACM TOCE 2017).
   */
  readonly cost: number;
  /** ``a `,` is missing after `x` ``. */
  readonly says: string;
};

/** A text and where it is at fault, for the families of edits. */
export type Faulty = {
  readonly text: string;
  readonly at: number;
  /** The name that the text must define, if one is asked for. */
  readonly entry: string | null;
};

/** Inserts a text. */
export function inserting(at: number, text: string, cost: number, says: string): TokenEdit {
  return { splices: [{ start: at, end: at, text }], cost, says };
}

/** Puts a text in the place of another. */
export function putting(
  [start, end]: readonly [number, number],
  text: string,
  cost: number,
  says: string,
): TokenEdit {
  return { splices: [{ start, end, text }], cost, says };
}

/** A piece of code, short enough for a sentence. */
export function quoted(code: string): string {
  const line = code.replace(/\s+/g, " ").trim();
  return `\`${line.length > 40 ? `${line.slice(0, 37)}...` : line}\``;
}
