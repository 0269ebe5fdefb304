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

type Ended = {
  readonly status?: string;
  readonly value?: unknown;
  readonly error?: { readonly name?: string; readonly message?: string };
};

/** How a run ended, in a line. */
export function ended(outcome: unknown): string {
  const { status = "", value, error } = (outcome ?? {}) as Ended;
  if (status === "returned") return brief(value ?? null);
  return error === undefined
    ? brief(outcome)
    : `${status} ${error.name ?? ""}: ${error.message ?? ""}`;
}

/** A value that takes no more characters than these is written in one line. */
const SHORT = 72;

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
  const line = JSON.stringify(of) ?? "undefined";
  const text = line.length <= SHORT ? line : JSON.stringify(of, null, 2);
  const cut =
    text.length > LONG ? `${text.slice(0, LONG)}\n… ${text.length - LONG} more characters` : text;
  return (
    <pre class="code boxed" tabIndex={0} aria-label={label}>
      {cut}
    </pre>
  );
}
