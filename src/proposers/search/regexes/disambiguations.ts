import type { AST } from "@eslint-community/regexpp";
import { hazardsOf, overlap } from "./hazards.ts";
import type { Pattern } from "./pattern.ts";
import { isLeaf, termsOf, type Leaf } from "./terms.ts";
import { put, type Draft } from "./variant.ts";

/**
 * The same language with one way to match where a repetition stands within a repetition, so that a
 * backtracking engine has nothing to try: `(X+)*` to `X*`, `(X+S?)*` to `(?:X+S)*(X+S?)?`, and
 * `(X*S)*` with an X that takes S in as well to an X without it. After van der Merwe, Weideman and
 * Berglund, "Turning evil regexes harmless" (SAICSIT 2017), for the shapes that people write (Davis
 * et al., ESEC/FSE 2018). Only where the pattern has such a hazard, and the result has fewer.
 */
export function* disambiguations(pattern: Pattern): Generator<Draft> {
  const hazards = hazardsOf(pattern);
  if (hazards === 0) return;
  for (const { node, core, quantifier } of termsOf(pattern)) {
    if (quantifier === null || quantifier.max !== Infinity || quantifier.min > 1) continue;
    const body = onlyBody(core);
    if (body === null) continue;
    for (const text of clearer(body, { isOptional: quantifier.min === 0, flags: pattern.flags })) {
      yield put(pattern, node, text, LIKELY);
    }
  }
}

/** Where a pattern is known to try for ever, little else can be meant. */
const LIKELY = 6;

type Body = { readonly open: string; readonly elements: readonly AST.Element[] };
type How = { readonly isOptional: boolean; readonly flags: string };

/** What stands in a group without alternatives, and how the group opens. */
function onlyBody(core: AST.Element): Body | null {
  if (core.type !== "Group" && core.type !== "CapturingGroup") return null;
  const [only, ...others] = core.alternatives;
  if (only === undefined || others.length > 0) return null;
  return { open: core.raw.slice(0, only.start - core.start), elements: only.elements };
}

function* clearer({ open, elements }: Body, { isOptional, flags }: How): Generator<string> {
  const [first, second, ...rest] = elements;
  if (first === undefined || rest.length > 0) return;
  const end = isOptional ? "?" : "";
  if (second === undefined) {
    const many = manyOf(first);
    if (many === null) return;
    yield `${open}${many.raw}${isOptional || many.min === 0 ? "*" : "+"})`;
    return;
  }
  const [word, gap] = [manyOf(first), gapOf(second)];
  if (word !== null && gap !== null && word.min === 1 && !overlap(word.leaf, gap.leaf, flags)) {
    yield `(?:${first.raw}${gap.once})*${open}${first.raw}${second.raw})${end}`;
  }
  const [lead, tail] = [gapOf(first), manyOf(second)];
  if (lead !== null && tail !== null && tail.min === 1 && !overlap(tail.leaf, lead.leaf, flags)) {
    yield `${open}${first.raw}${second.raw})${end}(?:${lead.once}${second.raw})*`;
  }
  const stop = isLeaf(second) ? without(second) : null;
  if (word !== null && stop !== null)
    yield `${open}${stop}${signOf(word)}${second.raw})${signIn(isOptional)}`;
}

/** A leaf that is repeated without an end. */
function manyOf(
  node: AST.Element,
): { readonly leaf: Leaf; readonly raw: string; readonly min: number } | null {
  if (node.type !== "Quantifier" || node.max !== Infinity || node.min > 1) return null;
  return isLeaf(node.element) ? { leaf: node.element, raw: node.element.raw, min: node.min } : null;
}

/** A leaf that may be missing, and how it is written where it may not. */
function gapOf(node: AST.Element): { readonly leaf: Leaf; readonly once: string } | null {
  if (node.type !== "Quantifier" || node.min !== 0 || !isLeaf(node.element)) return null;
  const { raw } = node.element;
  if (node.max === 1) return { leaf: node.element, once: raw };
  return node.max === Infinity ? { leaf: node.element, once: `${raw}+` } : null;
}

/** The class of everything but a character. */
function without(leaf: Leaf): string | null {
  return leaf.type === "Character"
    ? `[^${/^[\]^\\-]$/.test(leaf.raw) ? "\\" : ""}${leaf.raw}]`
    : null;
}

function signOf({ min }: { readonly min: number }): string {
  return min === 0 ? "*" : "+";
}

function signIn(isOptional: boolean): string {
  return isOptional ? "*" : "+";
}
