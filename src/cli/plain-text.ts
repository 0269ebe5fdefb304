import { stripVTControlCharacters } from "node:util";

// Whoever wrote a skill, a log line or a web page may have put escapes in it that move the cursor,
// rename the window or reorder what is read; C1 controls and bidirectional marks do it too.
const CONTROLS = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu;

/** Text that is safe to show on a terminal: only line feeds and tabs remain of all controls. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, "");
}

/** Text as one line: controls gone, blanks joined. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s+/g, " ")).trim();
}

/** A plain line of at most `width` characters; an ellipsis stands for what is left out. */
export function clipped(line: string, width: number): string {
  const characters = Array.from(line);
  if (characters.length <= width) return line;
  return `${characters.slice(0, width - 1).join("")}…`;
}

/** JSON text whose controls are all escaped, so that printing it moves nothing. */
export function safeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    CONTROLS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
