/**
 * Why a text cannot be a file of a skill, to complete a sentence; null where it can. Half of a surrogate
 * pair has no form in UTF-8, so that what is stored, run and committed would be another text each
 * time; NUL ends texts in C and makes a file binary for git.
 */
export function unfitText(text: string): string | null {
  if (!text.isWellFormed()) return "has half of a surrogate pair in it, which is no character";
  return text.includes("\0") ? "has a NUL in it" : null;
}

/** The same text with what makes it unfit taken out, for words that are only read. */
export function fitText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
