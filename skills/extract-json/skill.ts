type Extracted = {
  value: unknown;
  /** The text was not strict JSON: comments, trailing commas, single quotes, Python words, … */
  repaired: boolean;
};

type Found = Extracted & { length: number };

const DEEPEST = 64;

/**
 * Finds the JSON in what a language model wrote: reasoning, prose and Markdown fences around it are
 * left out. Of several values the longest is taken, of equally long ones the first; a fenced block
 * comes before the prose around it. `want` asks for an object or a list. Common slips are repaired.
 * Throws `no JSON in the text` where there is none that is complete.
 */
export function extractJson(text: string, want?: "object" | "array"): Extracted {
  const answer = text.replace(/<think>[\s\S]*?<\/think>/g, "");
  const whole = strict(answer.trim());
  if (whole !== null && fits(whole.value, want)) return { value: whole.value, repaired: false };
  const fences = [...answer.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].map(([, body = ""]) => body);
  for (const source of [...fences, answer]) {
    const found = longestIn(source, want);
    if (found !== null) return { value: found.value, repaired: found.repaired };
  }
  throw new Error("no JSON in the text");
}

function fits(value: unknown, want: "object" | "array" | undefined): boolean {
  if (want === undefined) return true;
  if (want === "array") return Array.isArray(value);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strict(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function longestIn(text: string, want: "object" | "array" | undefined): Found | null {
  let longest: Found | null = null;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== "{" && text[at] !== "[") continue;
    const found = valueAt(text, at);
    if (found === null || !fits(found.value, want)) continue;
    if (longest === null || found.length > longest.length) longest = found;
    at += found.length - 1;
  }
  return longest;
}

function valueAt(text: string, start: number): Found | null {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0);
    const source = text.slice(start, reader.at);
    const exact = strict(source);
    return { value: exact?.value ?? value, repaired: exact === null, length: source.length };
  } catch {
    return null;
  }
}

const WORDS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
};

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Reads JSON as models write it. It throws at the first thing that is none. */
class Reader {
  text: string;
  at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw new Error("nested too deeply");
    this.skip();
    const next = this.text[this.at] ?? "";
    if (next === "{") return this.object(depth);
    if (next === "[") return this.list(depth);
    if (`"'“`.includes(next) && next !== "") return this.string();
    const number = this.take(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y);
    if (number !== "") return Number(number);
    const word = this.take(/[A-Za-z]+/y);
    if (!Object.hasOwn(WORDS, word)) throw new Error(`unexpected ${next}`);
    return WORDS[word];
  }

  object(depth: number): unknown {
    const members: [string, unknown][] = [];
    this.at += 1;
    while (!this.closes("}")) {
      const key = `"'“`.includes(this.text[this.at] ?? " ")
        ? this.string()
        : this.take(/[\p{L}_$][\p{L}\p{N}_$-]*/uy);
      if (key === "" && this.text[this.at - 1] !== '"') throw new Error("no key");
      this.skip();
      this.expect(":");
      members.push([key, this.value(depth + 1)]);
      this.separator("}");
    }
    // fromEntries makes a member of `__proto__`, where an assignment would set the prototype.
    return Object.fromEntries(members);
  }

  list(depth: number): unknown {
    const items: unknown[] = [];
    this.at += 1;
    while (!this.closes("]")) {
      items.push(this.value(depth + 1));
      this.separator("]");
    }
    return items;
  }

  string(): string {
    const quote = this.text[this.at] === "“" ? "”" : (this.text[this.at] ?? "");
    let read = "";
    this.at += 1;
    for (;;) {
      read += this.take(quote === "'" ? /[^'\\]+/y : quote === "”" ? /[^”\\]+/y : /[^"\\]+/y);
      if (this.text[this.at] === quote) break;
      if (this.at >= this.text.length) throw new Error("no end of a string");
      read += this.escape();
    }
    this.at += 1;
    return read;
  }

  escape(): string {
    const hex = this.take(/\\u[0-9a-fA-F]{4}/y);
    if (hex !== "") return String.fromCharCode(Number.parseInt(hex.slice(2), 16));
    const escaped = this.text[this.at + 1] ?? "";
    this.at += 2;
    return ESCAPES[escaped] ?? escaped;
  }

  closes(bracket: string): boolean {
    this.skip();
    if (this.text[this.at] !== bracket) return false;
    this.at += 1;
    return true;
  }

  separator(bracket: string): void {
    this.skip();
    if (this.text[this.at] !== bracket) this.expect(",");
  }

  expect(character: string): void {
    if (this.text[this.at] !== character) throw new Error(`expected ${character}`);
    this.at += 1;
  }

  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.text)?.[0] ?? "";
    this.at += taken.length;
    return taken;
  }

  skip(): void {
    this.take(/(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y);
  }
}
