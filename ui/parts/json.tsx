import type { JSX } from "preact";

/** Characters of a value that stand in a row. */
const BRIEF = 400;

/** A value in a line; what is too long for one is cut. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > BRIEF ? `${text.slice(0, BRIEF)} …` : text;
}

type Expectation = {
  readonly kind?: string;
  readonly value?: unknown;
  readonly message?: string;
  readonly atLeast?: number;
};

/** What a case expects, in a line. */
export function wanted(expectation: unknown): string {
  const { kind, value, message, atLeast } = (expectation ?? {}) as Expectation;
  if (kind === "value") return brief(value);
  if (kind === "reward") return `a reward of at least ${atLeast ?? 1}`;
  return kind === "throws" ? `throws ${message ?? ""}` : brief(expectation);
}

/** Characters of a value that are shown at most. */
const LONG = 20_000;

/** A value in full, laid out, as text: whatever a skill made stays text. */
export function JsonBlock({
  of,
  label,
}: {
  readonly of: unknown;
  readonly label: string;
}): JSX.Element {
  const text = JSON.stringify(of, null, 2) ?? "undefined";
  const cut =
    text.length > LONG ? `${text.slice(0, LONG)}\n… ${text.length - LONG} more characters` : text;
  return (
    <pre class="code boxed" tabIndex={0} aria-label={label}>
      {cut}
    </pre>
  );
}
