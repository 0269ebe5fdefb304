import type { Finding } from "../../ports/editor.ts";

/** A prompt as text and variables by turns, and what is wanted of the answer. */
export type ReadPrompt = {
  /** One more than variables: what stands before the first, between them, and behind the last. */
  readonly texts: readonly string[];
  /** Names in the order in which they stand, each as often as it does. */
  readonly slots: readonly string[];
  /** Each name once, in the order of their first places. */
  readonly variables: readonly string[];
  readonly answer: "text" | "json";
  readonly problems: readonly Finding[];
};

/** `{{name}}`; anything else between two braces is named as a problem. */
const SLOT = /\{\{([^{}\n]*)\}\}/g;
const NAME = /^[a-zA-Z_$][\w$]{0,63}$/;

/** `<!-- answer: json -->`, the first line of a prompt whose answer is JSON. */
const DIRECTIVE = /^﻿?<!--\s*answer:\s*(\w+)\s*-->[ \t]*\r?\n?/;

/** Problems that are told. */
const MOST_PROBLEMS = 20;

/** The largest prompt, in UTF-16 units. */
const LARGEST = 100_000;

/** Reads `prompt.md`: text with `{{variables}}`, and on its first line perhaps what the answer is. */
export function readPrompt(text: string): ReadPrompt {
  const problems: Finding[] = [];
  const directive = DIRECTIVE.exec(text);
  const wanted = directive?.[1] ?? "text";
  if (wanted !== "text" && wanted !== "json") {
    problems.push({ line: 1, message: `an answer is \`text\` or \`json\`, not \`${wanted}\`` });
  }
  if (text.length > LARGEST) {
    problems.push({ line: 1, message: `a prompt has at most ${LARGEST} characters` });
    return { texts: [], slots: [], variables: [], answer: "text", problems };
  }
  const body = text.slice(directive?.[0].length ?? 0);
  if (body.trim() === "") problems.push({ line: 1, message: "the prompt is empty" });
  const texts: string[] = [];
  const slots: string[] = [];
  let from = 0;
  for (const match of body.matchAll(SLOT)) {
    const name = (match[1] ?? "").trim();
    if (!NAME.test(name) && problems.length < MOST_PROBLEMS) {
      const line = lineAt(text, (directive?.[0].length ?? 0) + match.index);
      problems.push({ line, message: `{{${name}}} is no variable: a name has letters and digits` });
    }
    texts.push(body.slice(from, match.index));
    slots.push(name);
    from = match.index + match[0].length;
  }
  texts.push(body.slice(from));
  const answer = wanted === "json" ? "json" : "text";
  return { texts, slots, variables: [...new Set(slots)], answer, problems };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
