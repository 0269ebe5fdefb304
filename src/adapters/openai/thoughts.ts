/** How models that reason in their text set it apart. */
const TAGS = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["[THINK]", "[/THINK]"],
  ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"],
] as const;

/**
 * An answer's text without the reasoning before it, which is given apart. The opening tag may be
 * missing, because some templates write it into the prompt; without a closing one all is reasoning.
 * Only what stands first counts: a program in an answer may have such tags in its own texts.
 */
export function withoutThoughts(content: string): {
  readonly text: string;
  readonly thoughts: string;
  /** The opening tag; null: no reasoning was found. */
  readonly tag: string | null;
} {
  const start = content.trimStart();
  for (const [open, close] of TAGS) {
    const isOpen = start.startsWith(open);
    const end = start.indexOf(close);
    if (isOpen && end < 0)
      return { text: "", thoughts: start.slice(open.length).trim(), tag: open };
    if (end < 0 || (!isOpen && !isAlone(start, end, end + close.length))) continue;
    const thoughts = start.slice(isOpen ? open.length : 0, end).trim();
    return { text: start.slice(end + close.length).trim(), thoughts, tag: open };
  }
  return { text: content, thoughts: "", tag: null };
}

/** Whether a closing tag without an opening one ends a line, in a text that is no answer before it. */
function isAlone(text: string, from: number, to: number): boolean {
  return !/^(?:[{[]|```)/.test(text) && /^\s*(?:\n|$|[{`])/.test(text.slice(to)) && from > 0;
}
