import type { AST } from "@eslint-community/regexpp";
import type { Pattern } from "./pattern.ts";

/** One factor of an alternative: what stands there, how often, and beside what. */
export type Term = {
  /** As it stands, quantifier included. */
  readonly node: AST.Element;
  /** What is repeated; the same as `node` where it stands once. */
  readonly core: AST.Element;
  readonly quantifier: AST.Quantifier | null;
  readonly alternative: AST.Alternative;
  /** Position among the factors of its alternative. */
  readonly at: number;
};

/** A part of a pattern that matches one character. */
export type Leaf = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** All factors of a pattern, those inside groups and look-arounds included, outer ones first. */
export function termsOf({ tree }: Pattern): readonly Term[] {
  return tree.alternatives.flatMap(termsIn);
}

function termsIn(alternative: AST.Alternative): readonly Term[] {
  return alternative.elements.flatMap((node, at): readonly Term[] => {
    const quantifier = node.type === "Quantifier" ? node : null;
    const core = quantifier?.element ?? node;
    return [{ node, core, quantifier, alternative, at }, ...innerOf(core).flatMap(termsIn)];
  });
}

/** Every list of alternatives of a pattern, the outermost first. */
export function choicesOf({ tree }: Pattern): readonly (readonly AST.Alternative[])[] {
  const below = (alternatives: readonly AST.Alternative[]): (readonly AST.Alternative[])[] => [
    alternatives,
    ...alternatives.flatMap(({ elements }) =>
      elements.flatMap((node) => {
        const inner = innerOf(node.type === "Quantifier" ? node.element : node);
        return inner.length === 0 ? [] : below(inner);
      }),
    ),
  ];
  return below(tree.alternatives);
}

function innerOf(node: AST.Element): readonly AST.Alternative[] {
  return "alternatives" in node ? node.alternatives : [];
}

/** Whether a part matches exactly one character, and which can be told without a context. */
export function isLeaf(node: AST.Element): node is Leaf {
  return (
    node.type === "Character" || node.type === "CharacterSet" || node.type === "CharacterClass"
  );
}

/** Whether a part consumes nothing. */
export function isAssertion(node: AST.Element): node is AST.Assertion {
  return node.type === "Assertion";
}

/** Whether a leaf matches a character, asked of the engine: one character against one leaf is cheap. */
export function acceptsOf({ raw }: Leaf, flags: string): (char: string) => boolean {
  const alone = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ""));
  return (char) => alone.test(char);
}
