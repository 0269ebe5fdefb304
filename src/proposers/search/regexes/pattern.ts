import { RegExpParser, RegExpSyntaxError, type AST } from "@eslint-community/regexpp";

/** A pattern as text and as a tree; offsets of the tree are those of the text. */
export type Pattern = {
  readonly text: string;
  readonly flags: string;
  readonly tree: AST.Pattern;
};

const PARSER = new RegExpParser({ ecmaVersion: 2025 });

/** Reads a pattern by the grammar of ECMA-262, Annex B included; null for one that is none. */
export function patternOf(text: string, flags: string): Pattern | null {
  if (text === "" || !/^(?!.*(.).*\1)[dgimsuvy]*$/.test(flags)) return null;
  const [unicode, unicodeSets] = [flags.includes("u"), flags.includes("v")];
  if (unicode && unicodeSets) return null;
  try {
    const tree = PARSER.parsePattern(text, 0, text.length, { unicode, unicodeSets });
    return { text, flags, tree };
  } catch (thrown) {
    if (!(thrown instanceof RegExpSyntaxError)) throw thrown;
    return null;
  }
}
