import { splice, type DriftEdit, type DriftScene } from "./drift-scene.ts";
import { fetchStatements, indentOf, lineEndOf, type FetchStatement } from "./fetch-calls.ts";

/** Repetitions of a request before the answer is taken as it is. */
const MOST_TRIES = 5;

/**
 * A request that is answered 429 waits as long as `Retry-After` says (seconds or a date, RFC 9110,
 * 10.2.3) and is repeated, a few times at most. Without the capability `clock` it does not wait.
 */
export function* retryAfter({ file, evidence }: DriftScene): Generator<DriftEdit> {
  if (!evidence.isLimited) return;
  const statements = fetchStatements(file);
  const lineEnd = lineEndOf(file);
  for (const waits of evidence.canSleep ? [true, false] : [false]) {
    const edits = statements.flatMap((of) => retried(of, waits, lineEnd));
    const reason = "a request that is answered 429 is repeated as Retry-After says";
    if (edits.length > 0) yield { edits, operator: "retry-after", reason };
  }
}

function retried(
  { statement, list, name, call }: FetchStatement,
  waits: boolean,
  lineEnd: string,
): ReturnType<typeof splice>[] {
  const indent = indentOf(statement);
  const unit = indent.startsWith("\t") ? "\t" : "  ";
  const lines = [
    `for (let tries = 0; ${name}.status === 429 && tries < ${MOST_TRIES}; tries += 1) {`,
    ...(waits ? waiting(name, call.expression.getText()).map((line) => unit + line) : []),
    `${unit}${name} = await ${call.getText()};`,
    "}",
  ];
  const start = list.getStart();
  const text = list.getText();
  const keyword = /^const\b/.test(text) ? [splice(start, start + "const".length, "let")] : [];
  const block = lines.map((line) => `${lineEnd}${indent}${line}`).join("");
  return [...keyword, splice(statement.end, statement.end, block)];
}

function waiting(name: string, callee: string): string[] {
  const ctx = callee.replace(/\.?fetch$/, "") || "ctx";
  return [
    `const asked = ${name}.headers.get("retry-after") ?? "1";`,
    "const waitMs = /^\\d+$/.test(asked)",
    "  ? Number(asked) * 1000",
    `  : Date.parse(asked) - ${ctx}.clock.now();`,
    `await ${ctx}.clock.sleep(Math.max(0, Math.min(waitMs || 1000, 60000)));`,
  ];
}
