import type { SourceText } from "../../src/ports/editor.ts";

/** A source of TypeScript whose only export is the skill. */
export function ts(text: string): SourceText {
  return { text, language: "ts", entry: null };
}

/** A plain script that defines the skill. */
export function js(text: string, entry: string): SourceText {
  return { text, language: "js", entry };
}

/** A skill with a doc comment, a helper and a type, in the given line ends. */
export function aSource(lineEnd = "\n"): SourceText {
  const lines = [
    "// Prices as shops write them.",
    "type Price = { amount: number; currency: string };",
    "",
    'const SIGNS: Record<string, string> = { $: "USD", "€": "EUR" };',
    "",
    "/**",
    " * Reads a price.",
    " * @param text as printed on the label",
    " */",
    "export function readPrice(text: string, scale?: number): Price {",
    '\tconst sign = text.trim()[0] ?? ""; // the sign stands first',
    "\tif (!(sign in SIGNS)) throw new Error(`no price: ${text}`);",
    '\treturn { amount: toNumber(text.slice(1)) * (scale ?? 1), currency: SIGNS[sign] ?? "" };',
    "}",
    "",
    "",
    "function toNumber(text: string): number {",
    '\treturn Number(text.replaceAll(",", ""));',
    "}",
    "",
  ];
  return ts(lines.join(lineEnd));
}
