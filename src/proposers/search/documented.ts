/** Words that a comment may quote and that still are values, not sentences. */
const MOST_CHARACTERS = 60;

/**
 * Texts that the comments of a source quote: `yields "none" for an empty list`. What a contract spells
 * out is part of the program, though no code of it has it yet.
 */
export function documentedTexts(source: string): readonly string[] {
  const comments = [...source.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)].map(([text]) => text);
  const quoted = comments
    .map((text) => text.replace(/\n\s*\*?\s*/g, " "))
    .flatMap((text) =>
      [...text.matchAll(/(["'`])([^"'`\n]+)\1/g)].map(([, , inner = ""]) => inner),
    );
  return [...new Set(quoted)].filter(({ length }) => length <= MOST_CHARACTERS);
}
