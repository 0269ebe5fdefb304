/** A regular expression near a given one, with how likely it is among its like. */
export type PatternVariant = { readonly pattern: string; readonly weight: number };

type Token = {
  readonly kind: "escape" | "class" | "quantifier" | "anchor" | "dot" | "bar" | "group" | "char";
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

const QUANTIFIERS = ["*", "+", "?", "*?", "+?", ""];
const ESCAPES: Readonly<Record<string, readonly string[]>> = {
  "\\d": ["\\w", "[0-9a-f]", "\\D"],
  "\\w": ["\\S", "[\\w-]", "[\\w.]", "[A-Za-z]", "\\W", "[^\\s]"],
  "\\s": [" ", "[ \\t]", "\\S"],
  "\\S": ["\\w", ".", "[^,]", '[^"]'],
  "\\b": [""],
  "\\.": ["."],
  "\\n": ["\\r?\\n", "\\s", "(?:\\r\\n|\\r|\\n)"],
  "\\r": ["\\r?"],
};
const CLASS_PARTS = ["A-Z", "a-z", "0-9", "_", "\\-", "\\s", ".", "\\\\", '"', "'", "$"];

/** Single changes of a pattern: anchors, quantifiers, escapes, classes, groups, alternatives. */
export function* patternVariants(pattern: string): Generator<PatternVariant> {
  yield* anchored(pattern);
  yield* optionalGroups(pattern);
  const tokens = tokensOf(pattern);
  for (const [at, token] of tokens.entries()) {
    const put = (text: string, weight: number): PatternVariant => ({
      pattern: pattern.slice(0, token.start) + text + pattern.slice(token.end),
      weight,
    });
    for (const [text, weight] of exchanges(token)) yield put(text, weight);
    const isQuantified = tokens[at + 1]?.kind === "quantifier";
    if (!isQuantified && ["escape", "class", "dot", "char"].includes(token.kind)) {
      for (const sign of ["+", "*", "?"]) {
        yield put(token.text + sign, token.kind === "char" ? 0.2 : 0.6);
      }
    }
    if (token.kind === "char") yield put("", 0.15);
    if (token.kind === "char" && /[^\w\s]/.test(token.text)) {
      for (const more of [",", "\\r\\n", ",\\r\\n", "\\s"])
        yield put(`[${token.text}${more}]`, 0.4);
    }
  }
}

function* anchored(pattern: string): Generator<PatternVariant> {
  const [head, tail] = [pattern.startsWith("^"), pattern.endsWith("$") && !pattern.endsWith("\\$")];
  const body = pattern.slice(head ? 1 : 0, tail ? -1 : undefined);
  const inner = body.includes("|") ? `(?:${body})` : body;
  const ends = [
    [head, tail],
    [!head, tail],
    [head, !tail],
    [!head, !tail],
  ];
  for (const [from, to] of ends) {
    yield { pattern: `${from ? "^" : ""}${inner}${to ? "$" : ""}`, weight: 1 };
  }
  yield { pattern: `\\b${inner}\\b`, weight: 0.4 };
}

/** A group with the mark before it, not there at times: each by itself, and all alike. */
function* optionalGroups(pattern: string): Generator<PatternVariant> {
  const parts = /([^\w\s\\()[\]|*+?^$.{}]?)(\((?:\\.|\[[^\]]*\]|[^()\\])*\))(?![*+?{])/g;
  const optional = (_: string, mark: string, group: string): string =>
    mark === "" ? `${group}?` : `(?:${mark}${group})?`;
  const found = [...pattern.matchAll(parts)];
  for (const { 0: text, 1: mark = "", 2: group = "", index } of found) {
    const rest = pattern.slice(index + text.length);
    yield { pattern: pattern.slice(0, index) + optional(text, mark, group) + rest, weight: 0.6 };
  }
  const marks = new Set(found.map(([, mark]) => mark).filter((mark) => mark !== ""));
  for (const mark of marks) {
    const same = pattern.replace(parts, (text, own: string, group: string) =>
      own === mark ? optional(text, own, group) : text,
    );
    yield { pattern: same, weight: 0.6 };
  }
}

function* exchanges({ kind, text }: Token): Generator<readonly [string, number]> {
  switch (kind) {
    case "quantifier":
      yield* quantifiers(text);
      return;
    case "dot":
      yield* [
        ["\\.", 1],
        ["[\\s\\S]", 0.8],
        ["[^\\n]", 0.2],
        ["\\S", 0.3],
      ] as const;
      return;
    case "escape":
      for (const other of ESCAPES[text] ?? []) yield [other, 0.8];
      if (/^\\[^\w\s]$/.test(text)) yield [text.slice(1), 0.2];
      return;
    case "class":
      yield* classes(text);
      return;
    case "group":
      if (text === "(") yield ["(?:", 0.2];
      return;
    case "anchor":
    case "bar":
    case "char":
      return;
  }
}

function* quantifiers(text: string): Generator<readonly [string, number]> {
  const counted = /^\{(\d+)(,?)(\d*)\}(\??)$/.exec(text);
  if (!counted) {
    for (const other of QUANTIFIERS) if (other !== text) yield [other, other === "" ? 0.3 : 0.8];
    return;
  }
  const [low, comma, high] = [Number(counted[1]), counted[2], counted[3]];
  for (const step of [1, -1]) {
    if (low + step >= 0) yield [`{${low + step}${comma}${high}}`, 0.8];
    if (high) yield [`{${low}${comma}${Number(high) + step}}`, 0.8];
  }
  yield [`{${low},}`, 0.6];
  if (!comma) {
    yield [`{1,${low}}`, 0.4];
    yield [`{${low},${low + 1}}`, 0.6];
    yield [`{${low},${low + 2}}`, 0.3];
  }
  yield ["+", 0.4];
  yield ["*", 0.4];
}

function* classes(text: string): Generator<readonly [string, number]> {
  const isNegated = text.startsWith("[^");
  yield [isNegated ? `[${text.slice(2)}` : `[^${text.slice(1)}`, 0.2];
  for (const part of CLASS_PARTS) {
    if (!text.includes(part)) yield [`${text.slice(0, -1)}${part}]`, 0.5];
  }
  for (const part of text.slice(isNegated ? 2 : 1, -1).match(/\\.|.-.|./g) ?? []) {
    const rest = text.replace(part, "");
    if (rest !== "[]" && rest !== "[^]") yield [rest, 0.3];
  }
}

const TOKEN =
  /\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|[pP]\{[^}]*\}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\(\?(?:[:=!]|<[=!]|<[^>]*>)|[\^$.|()]|[\s\S]/g;

function tokensOf(pattern: string): readonly Token[] {
  return [...pattern.matchAll(TOKEN)].map(({ 0: text, index }) => ({
    kind: kindOf(text),
    start: index,
    end: index + text.length,
    text,
  }));
}

function kindOf(text: string): Token["kind"] {
  if (text.startsWith("\\")) return "escape";
  if (text.startsWith("[") && text.length > 1) return "class";
  if (/^(?:[*+?]|\{\d)/.test(text)) return "quantifier";
  if (text === "." || text === "|") return text === "." ? "dot" : "bar";
  if (text.startsWith("(") || text === ")") return "group";
  return text === "^" || text === "$" ? "anchor" : "char";
}
