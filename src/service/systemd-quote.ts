/** What needs no quotes anywhere in a unit. */
const PLAIN = /^[\w/.:@=+,-]+$/;

/**
 * A value as one word of a unit file (systemd.syntax(7), "Quoting"): in quotes where it needs them,
 * with `%` doubled, since that names things of the unit. It has no control characters.
 */
export function quotedWord(value: string): string {
  if (PLAIN.test(value)) return value;
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** Runs what follows it, under the same process id. */
const BY_SHELL = ["/bin/sh", "-c", 'exec "$0" "$@"'];

/**
 * A command line of a unit. In arguments `$` names a variable, in the program's own path it does not;
 * and no program may have quotes or a `\\` in its path: such a one is started by a shell.
 */
export function commandLine(words: readonly string[]): string {
  const [program = "", ...rest] = /["'\\]/.test(words[0] ?? "") ? [...BY_SHELL, ...words] : words;
  const inner = rest.map((word) => quotedWord(word).replaceAll("$", "$$$$"));
  return [quotedWord(program), ...inner].join(" ");
}

/** A value as the text of a description, in which only `%` means something; a `\\` at its end would join lines. */
export function describedText(value: string): string {
  return value.replaceAll("\\", "/").replaceAll("%", "%%");
}
