import { PROGRAM_NAME, STRICT_PREFIX } from "./protocol.ts";

/** A place in the program; lines and columns count from 1. */
export type StackFrame = {
  readonly function: string;
  readonly line: number;
  readonly column: number;
};

/**
 * The places in the program that a stack's text names, innermost first, at most 16. Everything else
 * in it is passed over. A strict program's first line is moved back by the prefix put before it.
 */
export function stackFrames(stack: string, strict: boolean): readonly StackFrame[] {
  return stack
    .split("\n", 100)
    .map((line) => frameOf(line.slice(0, 400), strict ? STRICT_PREFIX.length : 0))
    .filter((frame) => frame !== null)
    .slice(0, 16);
}

const FRAME =
  /^ {4}at (?:async )?(?:(?<name>.+?) \()?(?<place>[^()]+):(?<line>\d+):(?<column>\d+)\)?$/;

function frameOf(text: string, prefixLength: number): StackFrame | null {
  const found = FRAME.exec(text)?.groups;
  if (found === undefined || found["place"] !== PROGRAM_NAME) return null;
  const line = Number(found["line"]);
  const column = Number(found["column"]) - (line === 1 ? prefixLength : 0);
  return { function: functionOf(found["name"] ?? ""), line, column: Math.max(1, column) };
}

/** `Object.parse [as read]` and `new Parser` name a function; `eval` is the program's top level. */
function functionOf(name: string): string {
  const plain = name.replace(/ \[as .*\]$/, "").replace(/^new /, "");
  return plain === "eval" || plain === "<anonymous>" ? "" : plain;
}
