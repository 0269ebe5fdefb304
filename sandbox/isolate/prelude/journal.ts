import { hide } from "./clock.ts";
import type { Bare, Intrinsics } from "./intrinsics.ts";
import { writePlain } from "./plain-data.ts";
import { textMember } from "./thrown.ts";

export type Level = "debug" | "info" | "warn" | "error";

/** What a call has logged: the last lines, up to a number of characters. */
export type Journal = Bare & {
  readonly add: (level: Level, values: readonly unknown[]) => void;
  /** The lines as a JSON array of `{level, text}`. */
  readonly text: () => string;
  readonly clear: () => void;
};

/** A flood keeps its end: the first lines give way, and a line says how many did. */
export function makeJournal(of: Intrinsics): Journal {
  const mostCharacters = 65_536;
  let lines: Bare & Record<number, string> = { __proto__: null };
  let from = 0;
  let to = 0;
  let characters = 0;
  return {
    __proto__: null,
    add: (level, values) => {
      const line = '{"level":"' + level + '","text":' + of.stringify(lineOf(of, values)) + "}";
      lines[to++] = line;
      characters += line.length;
      while (characters > mostCharacters) {
        characters -= (lines[from] as string).length;
        delete lines[from++];
      }
    },
    text: () => {
      let text = "";
      if (from > 0) text = '{"level":"warn","text":"' + from + ' earlier lines were dropped"}';
      for (let at = from; at < to; at += 1) text += (text === "" ? "" : ",") + lines[at];
      return "[" + text + "]";
    },
    clear: () => {
      lines = { __proto__: null };
      from = to = characters = 0;
    },
  };
}

function lineOf(of: Intrinsics, values: readonly unknown[]): string {
  let line = "";
  for (let at = 0; at < values.length && line.length < 8_192; at += 1)
    line += (at === 0 ? "" : " ") + shown(of, values[at]);
  return line.length > 8_192 ? of.slice(line, 0, 8_192) + "…" : line;
}

/** Texts as they are, errors as `Name: message`, anything else as JSON with words for the rest. */
function shown(of: Intrinsics, value: unknown): string {
  if (typeof value === "string") return of.slice(value, 0, 8_193);
  try {
    if (typeof value === "object" && value !== null && isError(of, value))
      return (textMember(of, value, "name") ?? "Error") + ": " + textMember(of, value, "message");
    const options = { __proto__: null, root: "", longest: 8_192, lenient: true } as const;
    return value === undefined ? "undefined" : (writePlain(of, value, options).text ?? "[large]");
  } catch {
    return "[could not be read]";
  }
}

function isError(of: Intrinsics, value: object): boolean {
  let holder: object | null = value;
  for (let steps = 0; holder !== null && steps < 16; steps += 1) {
    if (holder === of.errors.Error.prototype) return true;
    holder = of.prototypeOf(holder);
  }
  return false;
}

/** Replaces the inert console of the engine. */
export function bindConsole(of: Intrinsics, journal: Journal): void {
  const logs =
    (level: Level) =>
    (...values: unknown[]): void =>
      journal.add(level, values);
  const quiet = (): void => undefined;
  hide(of, globalThis, "console", {
    debug: logs("debug"),
    trace: logs("debug"),
    log: logs("info"),
    info: logs("info"),
    dir: logs("info"),
    table: logs("info"),
    warn: logs("warn"),
    error: logs("error"),
    assert: (holds: unknown, ...values: unknown[]) => {
      if (!holds) journal.add("error", values);
    },
    time: quiet,
    timeEnd: quiet,
    group: quiet,
    groupEnd: quiet,
    count: quiet,
  });
}

/** The functions of this file, which become the text of the prelude. */
export const JOURNAL_PARTS = [makeJournal, lineOf, shown, isError, bindConsole];
