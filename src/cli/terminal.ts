import { styleText } from "node:util";
import type { JsonObject } from "../domain/json.ts";
import { plainText, safeJson } from "./plain-text.ts";
import { present } from "./present.ts";
import type { Layout } from "./present.ts";

type Style = Parameters<typeof styleText>[0];

/** Where a command writes: its answer to stdout, everything else to stderr. */
export type Terminal = {
  readonly isJson: boolean;
  /** The one answer of a command: one JSON object, or the same for people. */
  answer(document: JsonObject, layout?: Layout): void;
  /** Text for people in place of a laid out answer; with --json the document is printed. */
  answerText(document: JsonObject, text: string): void;
  /** A line of progress on stderr; not with --quiet. */
  progress(line: string): void;
  /** Colour, where the stream and the user want it. */
  paint(style: Style, text: string): string;
};

export type TerminalOptions = {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly hasColour: boolean;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
};

/** A terminal on the given streams. */
export function terminalOn({ isJson, isQuiet, hasColour, out, err }: TerminalOptions): Terminal {
  const paint = (style: Style, text: string): string =>
    hasColour ? styleText(style, text, { stream: out }) : text;
  const heading = (text: string): string => paint("bold", text);
  const width = out.isTTY ? out.columns : Number.POSITIVE_INFINITY;
  const answerText = (document: JsonObject, text: string): void => {
    out.write(isJson ? `${safeJson({ schemaVersion: 1, ...document })}\n` : `${text}\n`);
  };
  return {
    isJson,
    answer: (document, layout = {}) =>
      answerText(document, isJson ? "" : present(document, layout, { heading, width })),
    answerText,
    progress: (line) => {
      if (!isQuiet) err.write(`${plainText(line)}\n`);
    },
    paint,
  };
}
