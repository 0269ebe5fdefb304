/**
 * Regular expressions that a hostile text cannot make run for long. They come from the manifest, the
 * text from a skill, and both meet in the daemon.
 */

/** Longest text by the number of unbounded repetitions: matching takes length^(repetitions + 1). */
const LONGEST = [100_000, 10_000, 1_000, 256];

/** Optional parts and groups of alternatives: each may double the time. */
const MOST_CHOICES = 10;

/** What is wrong with a pattern, in a clause, or null. */
export function patternProblem(pattern: string): string | null {
  if (!isRegExp(pattern)) return "is no regular expression";
  const bare = withoutLiterals(pattern);
  if (/\\[1-9k]/.test(pattern.replaceAll("\\\\", ""))) return "refers back to a group";
  if (/\([^()]*[*+?{|][^()]*\)[*+{]/.test(bare) || /\)[^()]*\)[*+{]/.test(bare)) {
    return "repeats a group that repeats or chooses";
  }
  if (choicesOf(bare) > MOST_CHOICES) return "has too many optional parts";
  return repetitionsOf(bare) >= LONGEST.length
    ? `has more than ${LONGEST.length - 1} repetitions without an end`
    : null;
}

/** Whether a text matches a sound pattern; texts too long to be searched safely do not. */
export function matches(pattern: string, text: string): boolean {
  if (patternProblem(pattern) !== null) return false;
  const longest = LONGEST[repetitionsOf(withoutLiterals(pattern))] ?? 0;
  return text.length <= longest && new RegExp(pattern, "u").test(text);
}

/** The pattern with escapes and character classes as `x`: only its operators are left. */
function withoutLiterals(pattern: string): string {
  return pattern
    .replaceAll(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gsu, "x")
    .replaceAll(/\[[^\]]*\]/g, "x")
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)/g, "(");
}

function choicesOf(bare: string): number {
  return bare.match(/(?<![*+?}])\?|\([^()|]*\|[^()]*\)/g)?.length ?? 0;
}

function repetitionsOf(bare: string): number {
  return bare.match(/[*+]|\{\d+,\d*\}|\{\d{3,}\}/g)?.length ?? 0;
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}
