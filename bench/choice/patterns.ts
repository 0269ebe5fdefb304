import type { AST } from "@eslint-community/regexpp";
import type { PatternRow, PatternText } from "../../src/ports/editor.ts";
import { patternOf, type Pattern } from "../../src/proposers/search/regexes/pattern.ts";
import { acceptsOf, isLeaf, termsOf } from "../../src/proposers/search/regexes/terms.ts";
import type { Draw } from "./draw.ts";

/** Correct patterns of our own, of the kinds that checks and parsers are made of. */
export const PATTERNS: readonly string[] = [
  "^[a-z0-9_-]{3,16}$",
  "^[A-Z]{2}\\d{6}$",
  "^[A-Z]{1,2}\\d{5,7}$",
  "^[A-CEGHJ-NPR-TW-Z]{2}\\d{6}[A-D]$",
  "^\\d{3}-\\d{2}-\\d{4}$",
  "^\\d{5}(-\\d{4})?$",
  "^\\d{4}[ -]?\\d{4}[ -]?\\d{4}$",
  "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
  "^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$",
  "^v?\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$",
  "^(\\d+)\\.(\\d+)\\.(\\d+)(?:-([a-z]+)\\.(\\d+))?$",
  "^[+-]?\\d+(\\.\\d+)?$",
  "^-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?$",
  "^\\$?\\d{1,3}(,\\d{3})*(\\.\\d{2})?$",
  "^([01]\\d|2[0-3]):[0-5]\\d$",
  "^([01]?\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$",
  "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
  "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2})$",
  "^(0?[1-9]|[12]\\d|3[01])/(0?[1-9]|1[0-2])/\\d{4}$",
  "^[a-z0-9._-]+@[a-z0-9-]+(\\.[a-z]{2,})+$",
  "^[A-Za-z0-9+._-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,6}$",
  "^https?://[a-z0-9.-]+(:\\d{1,5})?(/\\S*)?$",
  "^(ftp|https?)://\\S+$",
  "^(\\+?1)?[2-9]\\d{2}[2-9]\\d{6}$",
  "^(\\+?49|0)?1(5[0-9]|6[0-3]|7[0-9])\\d{7,8}$",
  "^(\\+?36|06)?(20|30|70)\\d{7}$",
  "^(\\+?45|0)?[2-9]\\d{7}$",
  "^(?:\\+?32|0)4(6[0-9]|[789]\\d)\\d{6}$",
  "^(\\+381|0)6(0|1|2|3|4|5|6|9)\\d{6,8}$",
  "^(00|\\+)?420 ?[67]\\d{2} ?\\d{3} ?\\d{3}$",
  "^0(1|3|7|9)\\d{8}$",
  "^[1-9]\\d{3} ?[A-Z]{2}$",
  "^[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}$",
  "^[A-Z]\\d[A-Z] ?\\d[A-Z]\\d$",
  "^(AB|CD|EF|GH)\\d{4}$",
  "^(red|green|blue|black|white)$",
  "^(mon|tue|wed|thu|fri|sat|sun)$",
  "^[A-Z]{2}\\d{2}[A-Z0-9]{4}\\d{7}$",
  "^[A-F0-9]{8}-[A-F0-9]{4}-[A-F0-9]{4}$",
  "^([0-9A-F]{2}:){3}[0-9A-F]{2}$",
  "^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$",
  "^(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$",
  "^[a-z]+(-[a-z0-9]+)*$",
  "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
  "^[A-Za-z_$][A-Za-z0-9_$]*$",
  "^[a-z]{2}(-[A-Z]{2})?$",
  "^[a-z]{2,3}([_-][A-Z]{2,3})?$",
  "^--[a-z][a-z-]*(=\\S+)?$",
  "^\\s*([a-z]+)\\s*=\\s*(.*)$",
  "^[\\w.-]+\\.(jpg|jpeg|png|gif|webp)$",
  "^(/[\\w.-]+)+/?$",
  "^[^\\s@]+@[^\\s@]+$",
  "^[^,;]+(,[^,;]+)*$",
  "^@[a-z0-9_]{1,15}$",
  "^#[\\w]+$",
  "^[A-Z0-9]{4}(-[A-Z0-9]{4}){3}$",
  "^97[89]-?\\d{1,5}-?\\d{1,7}-?\\d{1,7}-?\\d$",
  "^[1-9]\\d{0,2}%$",
  "^(?!0)\\d{1,9}$",
  "^(?=.*\\d)[A-Za-z\\d]{6,12}$",
  "^[01]+$",
  "^0x[0-9a-fA-F]+$",
  "^(0[box])?[0-9a-fA-F]+$",
  "^\\(\\d{3}\\) \\d{3}-\\d{4}$",
  "^\\[[A-Z]+\\] .+$",
  "^rgb\\(\\d{1,3},\\d{1,3},\\d{1,3}\\)$",
  "^(GET|POST|PUT|DELETE) /\\S*$",
  "^data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+$",
];

/** A faulty pattern with rows of which some are wrong, and rows kept back. */
export type PatternFault = {
  readonly fault: string;
  readonly right: string;
  readonly faulty: PatternText;
  readonly visible: readonly PatternRow[];
  readonly heldOut: readonly { readonly text: string; readonly wants: boolean }[];
  /** Texts on which patterns can be told apart. */
  readonly questions: readonly string[];
};

/** A fault in a pattern, with the rows that a test might have; null where no row shows it. */
export function faultIn(text: string, draw: Draw): PatternFault | null {
  const right = patternOf(text, "");
  if (right === null) throw new Error(text);
  const faults = faultsOf(right).filter(
    (one) => one.text !== text && patternOf(one.text, "") !== null,
  );
  const byKind = [...Map.groupBy(faults, ({ kind }) => kind)];
  if (byKind.length === 0) return null;
  const [kind, some] = draw.of(byKind);
  const faulty = { text: draw.of(some).text, flags: "" };
  const [is, was] = [new RegExp(text), new RegExp(faulty.text)];
  const parsed = patternOf(faulty.text, "") as Pattern;
  const texts = new Set<string>();
  for (let at = 0; at < 400; at += 1) {
    const from = draw.of([right, right, parsed]);
    const made = sampleOf(from.tree.alternatives, draw, from.flags);
    texts.add(draw.of([made, made, mutated(made, draw)]));
  }
  const rows = [...texts].map((one) => ({
    text: one,
    wants: is.test(one),
    matches: was.test(one),
  }));
  const wrong = rows.filter(({ wants, matches }) => wants !== matches);
  const good = rows.filter(({ wants, matches }) => wants && matches);
  const bad = rows.filter(({ wants, matches }) => !wants && !matches);
  const shown = draw.of([1, 1, 1, 2, 2, 3, 4, 6]);
  if (wrong.length < 2 || good.length < 4 || bad.length < 4) return null;
  const visible = [
    ...wrong.slice(0, shown),
    ...good.slice(0, draw.int(2, 7)),
    ...bad.slice(0, draw.int(2, 6)),
  ];
  const left = rows.filter((row) => !visible.includes(row));
  const heldOut = [
    ...left.filter(({ wants, matches }) => wants !== matches).slice(0, shown),
    ...left.filter(({ wants, matches }) => wants === matches).slice(0, 12),
  ];
  return {
    fault: kind,
    right: text,
    faulty,
    visible,
    heldOut,
    questions: left.slice(0, 60).map((row) => row.text),
  };
}

type Faulty = { readonly kind: string; readonly text: string };

/** What people leave out of patterns, and put too much in, by kind. */
function faultsOf(pattern: Pattern): Faulty[] {
  const { text } = pattern;
  const found: Faulty[] = [];
  const put = (kind: string, { start, end }: Pick<AST.Node, "start" | "end">, by: string): void => {
    found.push({ kind, text: text.slice(0, start) + by + text.slice(end) });
  };
  for (const { node, core, quantifier, alternative } of termsOf(pattern)) {
    if (core.type === "Assertion") {
      put(core.kind === "lookahead" ? "no look-ahead" : "no anchor", core, "");
      continue;
    }
    if (quantifier !== null) {
      const { min, max, element } = quantifier;
      if (min === 0) {
        put("not optional", node, max === 1 ? element.raw : `${element.raw}+`);
        put("left out", node, "");
        if (element.type === "Group" || element.type === "CapturingGroup")
          put("left out", node, "");
      }
      if (max > 1 && max !== Infinity) {
        put("too few", node, `${element.raw}${min < max ? `{${min},${max - 1}}` : `{${max - 1}}`}`);
        put("too many", node, `${element.raw}{${min},${max + 1}}`);
        put("no bound", node, `${element.raw}+`);
        if (min < max) put("too few", node, `${element.raw}{${max}}`);
        if (min < max) put("too few", node, `${element.raw}{${min}}`);
      }
      if (max === Infinity) put("once", node, element.raw);
      if (min === 1 && max === Infinity) put("too many", node, `${element.raw}*`);
    }
    if (core.type === "CharacterClass") {
      for (const member of core.elements) {
        if (core.elements.length > 1) put("no member", member, "");
        if (member.type !== "CharacterClassRange" || member.max.value - member.min.value < 2)
          continue;
        put(
          "short range",
          member,
          `${member.min.raw}-${String.fromCharCode(member.max.value - 1)}`,
        );
        put(
          "short range",
          member,
          `${String.fromCharCode(member.min.value + 1)}-${member.max.raw}`,
        );
      }
      const same = termsOf(pattern).filter((other) => other.core.raw === core.raw);
      const [first] = core.elements;
      if (same.length > 1 && core.elements.length > 1 && first !== undefined) {
        const less = core.raw.replace(first.raw, "");
        found.push({ kind: "no member anywhere", text: text.replaceAll(core.raw, less) });
      }
      put("loose class", core, /[A-Za-z]/.test(core.raw) ? "\\w" : "\\d");
    }
    if (core.raw === "\\d") put("loose class", core, "\\w");
    if (core.raw === "\\.") put("not escaped", core, ".");
    if ("alternatives" in core && core.alternatives.length > 1) {
      for (const one of core.alternatives) {
        const rest = core.alternatives.filter((other) => other !== one).map(({ raw }) => raw);
        put(
          "no alternative",
          { start: core.alternatives[0]?.start ?? 0, end: core.end - 1 },
          rest.join("|"),
        );
      }
    }
    if (alternative.elements.length > 2 && isLeaf(core) && quantifier?.min === 0)
      put("left out", node, "");
  }
  return found;
}

/** A text that some alternatives match, drawn from their tree. */
function sampleOf(alternatives: readonly AST.Alternative[], draw: Draw, flags: string): string {
  const chosen = draw.of(alternatives);
  return chosen.elements.map((node) => sampleOfElement(node, draw, flags)).join("");
}

function sampleOfElement(node: AST.Element, draw: Draw, flags: string): string {
  if (node.type === "Quantifier") {
    const most = Math.min(node.max, node.min + 6);
    const count = draw.int(node.min, most);
    return Array.from({ length: count }, () => sampleOfElement(node.element, draw, flags)).join("");
  }
  if (node.type === "Group" || node.type === "CapturingGroup") {
    return sampleOf(node.alternatives, draw, flags);
  }
  if (!isLeaf(node)) return "";
  if (node.type === "Character") return String.fromCodePoint(node.value);
  const accepts = acceptsOf(node, flags);
  const usual = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
  const all = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  const [some, any] = [usual.filter(accepts), all.filter(accepts)];
  return draw.of(some.length > 0 && draw.below(any.length > 70 ? 20 : 4) > 0 ? some : any);
}

function mutated(text: string, draw: Draw): string {
  const at = draw.int(0, Math.max(0, text.length - 1));
  const char = draw.of(Array.from("abzAZ059-_. +:/@ "));
  return draw.of([
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + char + text.slice(at),
    text.slice(0, at) + char + text.slice(at + 1),
    text + char,
    char + text,
    text + text.slice(-1),
    text.slice(0, Math.max(1, text.length >> 1)),
    text.toUpperCase(),
    text.toLowerCase(),
    "",
  ]);
}
