import type { AST } from "@eslint-community/regexpp";
import type { Pattern } from "./pattern.ts";
import { acceptsOf, isLeaf, termsOf, type Leaf } from "./terms.ts";

/** From here on a bounded repetition costs as much as an unbounded one. */
const MANY = 16;

/**
 * Repetitions within repetitions that can share out one stretch of text in many ways, which a
 * backtracking engine tries one after the other (Davis et al., "The impact of regular expression
 * denial of service in practice", ESEC/FSE 2018): their number. A part that must be matched in each
 * turn, and that the inner repetition cannot match, keeps them apart.
 */
export function hazardsOf(pattern: Pattern): number {
  return termsOf(pattern).filter(({ quantifier }) => {
    if (quantifier === null || quantifier.max < MANY) return false;
    return bodiesOf(quantifier.element).some((body) => isAmbiguous(body, pattern.flags));
  }).length;
}

function bodiesOf(node: AST.Element): readonly AST.Alternative[] {
  return "alternatives" in node ? node.alternatives : [];
}

function isAmbiguous({ elements }: AST.Alternative, flags: string): boolean {
  return elements.some((node) => {
    if (node.type === "Quantifier" && node.max >= MANY && isLeaf(node.element)) {
      return !isKeptApart(node, node.element, { elements, flags });
    }
    const core = node.type === "Quantifier" ? node.element : node;
    const inner = bodiesOf(core).some((body) => isAmbiguous(body, flags));
    return inner && !elements.some((other) => other !== node && isRequired(other));
  });
}

function isKeptApart(
  repeated: AST.Quantifier,
  leaf: Leaf,
  { elements, flags }: { readonly elements: readonly AST.Element[]; readonly flags: string },
): boolean {
  return elements.some((other) => {
    if (other === repeated || !isRequired(other)) return false;
    const core = other.type === "Quantifier" ? other.element : other;
    return isLeaf(core) && !overlap(leaf, core, flags);
  });
}

function isRequired(node: AST.Element): boolean {
  return node.type === "Quantifier" ? node.min > 0 : node.type !== "Assertion";
}

/** Whether two leaves have a character in common, of the first 256. */
export function overlap(one: Leaf, other: Leaf, flags: string): boolean {
  const [first, second] = [acceptsOf(one, flags), acceptsOf(other, flags)];
  for (let code = 0; code < 256; code += 1) {
    const char = String.fromCharCode(code);
    if (first(char) && second(char)) return true;
  }
  return false;
}
