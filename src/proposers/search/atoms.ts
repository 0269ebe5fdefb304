import { ts } from "ts-morph";
import type { Kind } from "./kinds.ts";
import type { Scene } from "./scene.ts";

/** A condition that could be asked at some place, as source text that binds like a comparison. */
export type Atom = { readonly text: string; readonly weight: number };

/** Most names that conditions are made of, the nearest first. */
const MOST_NAMES = 8;

/** Conditions over the names visible at a node: those of the file first, then the usual ones. */
export function atomsAt(node: ts.Node, scene: Scene): readonly Atom[] {
  const names = scene.names(node);
  const near = names.filter((name) => isData(name, scene)).slice(0, MOST_NAMES);
  const atoms = [
    ...borrowed(names, scene),
    ...near.flatMap((name) => atomsOf(name, scene.kindOfName(name))),
    ...pairsOf(near, scene),
  ];
  return [...new Map(atoms.toReversed().map((atom) => [atom.text, atom])).values()].toReversed();
}

/** What is usually asked of one value. */
export function atomsOf(name: string, kind: Kind | null): readonly Atom[] {
  const atom = (text: string, weight: number): Atom => ({ text, weight });
  const missing = [atom(`${name} == null`, 0.5), atom(`${name} != null`, 0.4)];
  switch (kind) {
    case "number":
      return [
        atom(`${name} > 0`, 0.5),
        atom(`${name} === 0`, 0.5),
        atom(`${name} < 0`, 0.4),
        atom(`${name} > 1`, 0.3),
        atom(`${name} < 2`, 0.3),
        atom(`${name} === 1`, 0.3),
        atom(`Number.isNaN(${name})`, 0.2),
      ];
    case "string":
    case "array":
      return [
        atom(`${name}.length === 0`, 0.6),
        atom(`${name}.length > 0`, 0.6),
        atom(`${name}.length > 1`, 0.3),
        atom(`${name}.length < 2`, 0.3),
        ...missing,
      ];
    case "boolean":
      return [atom(name, 0.5), atom(`!${name}`, 0.5)];
    case "object":
      return [...missing, atom(`Object.keys(${name}).length === 0`, 0.2)];
    case "function":
    case "regexp":
      return [];
    case null:
      return [
        ...missing,
        atom(`!${name}`, 0.5),
        atom(name, 0.3),
        atom(`${name}.length === 0`, 0.3),
        atom(`typeof ${name} === "string"`, 0.3),
        atom(`typeof ${name} !== "string"`, 0.3),
        atom(`typeof ${name} === "number"`, 0.2),
        atom(`typeof ${name} === "object"`, 0.2),
        atom(`Array.isArray(${name})`, 0.3),
        atom(`!Array.isArray(${name})`, 0.2),
      ];
  }
}

/** Conditions of the file all of whose names can be read here. */
function borrowed(names: readonly string[], scene: Scene): Atom[] {
  const known = new Set(names);
  return scene.conditions
    .filter((condition) => freeNames(condition).every((name) => known.has(name)))
    .slice(0, 24)
    .flatMap((condition) => {
      const text = condition.getText(scene.file);
      const isLoose = ts.isBinaryExpression(condition) && /&&|\|\||\?\?/.test(text);
      const plain = isLoose ? `(${text})` : text;
      return [
        { text: plain, weight: 1 },
        { text: `!(${text})`, weight: 0.4 },
      ];
    });
}

function pairsOf(names: readonly string[], scene: Scene): Atom[] {
  return names.flatMap((a, at) =>
    names.slice(at + 1).flatMap((b) => {
      const [first, second] = [scene.kindOfName(a), scene.kindOfName(b)];
      if (first !== second && first !== null && second !== null) return [];
      const weight = first === second && first !== null ? 0.25 : 0.1;
      const signs =
        first === "number" || second === "number"
          ? ["===", "!==", "<", ">", "<=", ">="]
          : ["===", "!=="];
      return signs.map((sign) => ({ text: `${a} ${sign} ${b}`, weight }));
    }),
  );
}

/** Names that an expression reads from around it; globals that begin with a capital are known. */
export function freeNames(node: ts.Node): readonly string[] {
  const names: string[] = [];
  const visit = (part: ts.Node): void => {
    if (
      ts.isIdentifier(part) &&
      !isMemberName(part) &&
      !/^[A-Z]|^undefined$|^is[A-Z]/.test(part.text)
    ) {
      names.push(part.text);
    }
    ts.forEachChild(part, visit);
  };
  visit(node);
  return names;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return ts.isPropertyAccessExpression(parent) && parent.name === node;
}

function isData(name: string, scene: Scene): boolean {
  const kind = scene.kindOfName(name);
  return kind !== "function" && kind !== "regexp" && name !== "ctx";
}
