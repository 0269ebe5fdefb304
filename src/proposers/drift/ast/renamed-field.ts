import { ts } from "ts-morph";
import {
  camelCased,
  isPlainName,
  likeness,
  membersOf,
  snakeCased,
  type KnownMember,
} from "../names.ts";
import {
  nodesOf,
  ordered,
  splice,
  type DriftEdit,
  type DriftScene,
  type Splice,
} from "./drift-scene.ts";

/** Reads of one member name in the source. */
type Reads = { readonly name: string; readonly nodes: readonly Read[] };
type Read = ts.PropertyAccessExpression | ts.BindingElement;

/** A member of the payload in the place of one that is read and not there. */
type Renaming = { readonly reads: Reads; readonly to: string; readonly likeness: number };

const LEAST_LIKENESS = 0.3;
const SURE = 1;
const MOST_OTHERS = 6;

/**
 * Reads of members that the recorded payloads lack, or that have a twin in another spelling, become
 * reads of the likest member that is there: renamed, or nested in another member. First with the
 * old name as the fallback, then without.
 */
export function* renamedField(scene: DriftScene): Generator<DriftEdit> {
  const members = membersOf(scene.evidence.payloads);
  const known = new Set(members.map(({ name }) => name));
  const reads = readsOf(scene.file);
  const renamings = reads.flatMap((of) => renamingsOf(of, members, known));
  const sure = bestOf(renamings.filter((one) => one.likeness === SURE));
  const alike = byConvention(sure, reads, known);
  if (alike.length > sure.length) yield* variantsOf(alike, scene);
  if (sure.length > 1) yield* variantsOf(sure, scene);
  const missing = bestOf(renamings.filter(({ reads: { name } }) => !known.has(name)));
  if (missing.length > 1) yield* variantsOf(missing, scene);
  for (const renaming of renamings
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_OTHERS)) {
    yield* variantsOf([renaming], scene);
  }
}

function* variantsOf(renamings: readonly Renaming[], { file }: DriftScene): Generator<DriftEdit> {
  const names = renamings.map(({ reads, to }) => `${reads.name} is now ${to}`).join(", ");
  for (const keepsOld of [true, false]) {
    const reads = renamings.flatMap(({ reads: of, to }) =>
      of.nodes.flatMap((node) => rewritten(node, to, keepsOld)),
    );
    const types = renamings.flatMap(({ reads: of, to }) => declared(file, of.name, to));
    if (reads.length === 0) continue;
    yield { edits: ordered([...reads, ...types]), operator: "renamed-field", reason: names };
  }
}

function readsOf(file: ts.SourceFile): readonly Reads[] {
  const byName = new Map<string, Read[]>();
  const add = (name: string, node: Read): void => {
    byName.set(name, [...(byName.get(name) ?? []), node]);
  };
  for (const node of nodesOf(file)) {
    if (ts.isPropertyAccessExpression(node) && isPlainRead(node)) add(node.name.text, node);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      add((node.propertyName ?? node.name).getText(file), node);
    }
  }
  return [...byName].map(([name, nodes]) => ({ name, nodes }));
}

function isPlainRead(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) && parent.expression === node) return false;
  if (ts.isIdentifier(node.expression) && /^[A-Z]|^ctx$/.test(node.expression.text)) return false;
  return !(
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** Renamed to the members most like it, and read through a member that holds its own name now. */
function renamingsOf(
  reads: Reads,
  members: readonly KnownMember[],
  known: ReadonlySet<string>,
): Renaming[] {
  const isMissing = !known.has(reads.name);
  const others = members
    .filter(({ name }) => name !== reads.name && isPlainName(name))
    .map(({ name }) => ({ reads, to: name, likeness: likeness(reads.name, name) }))
    .filter((one) => one.likeness === SURE || (isMissing && one.likeness >= LEAST_LIKENESS));
  const nested = members
    .filter(({ name, path }) => name === reads.name && path.length > 0 && path.every(isPlainName))
    .map(({ name, path }) => ({ reads, to: [...path.slice(-1), name].join("."), likeness: 0.8 }));
  const inside = isMissing
    ? members
        .filter(({ name, path }) => path.length > 0 && isPlainName(name))
        .map(({ name, path }) => ({
          reads,
          to: [...path.slice(-1), name].join("."),
          likeness: likeness(reads.name, [...path.slice(-1), name].join("_")),
        }))
        .filter((one) => one.likeness >= 0.5)
    : [];
  return [...new Map([...others, ...nested, ...inside].map((one) => [one.to, one])).values()];
}

/**
 * Where a name changed only its spelling (camel to snake case, or back), its neighbours did too:
 * the other members read from the same value are looked for in the new spelling first.
 */
function byConvention(
  sure: readonly Renaming[],
  reads: readonly Reads[],
  known: ReadonlySet<string>,
): Renaming[] {
  const spell = [snakeCased, camelCased].find((way) =>
    sure.some(({ reads: { name }, to }) => way(name) === to),
  );
  if (!spell) return [];
  const owners = new Set(sure.flatMap(({ reads: { nodes } }) => nodes.map(ownerOf)));
  const others = reads
    .filter(({ name }) => sure.every((one) => one.reads.name !== name) && spell(name) !== name)
    .filter(
      ({ name, nodes }) =>
        nodes.some((node) => owners.has(ownerOf(node))) && !known.has(spell(name)),
    )
    .map((of) => ({ reads: of, to: spell(of.name), likeness: SURE }));
  return [...sure, ...others];
}

function ownerOf(node: Read): string {
  return ts.isBindingElement(node) ? node.parent.getText() : node.expression.getText();
}

function bestOf(renamings: readonly Renaming[]): Renaming[] {
  const best = new Map<string, Renaming>();
  for (const one of renamings) {
    if (one.likeness > (best.get(one.reads.name)?.likeness ?? 0)) best.set(one.reads.name, one);
  }
  return [...best.values()];
}

function rewritten(node: Read, to: string, keepsOld: boolean): Splice[] {
  if (ts.isBindingElement(node)) return keepsOld ? [] : inPattern(node, to);
  const { name } = node;
  const reading = node.name.getSourceFile().text.slice(node.expression.getStart(), name.getStart());
  if (!keepsOld) return [splice(name.getStart(), name.end, to.replaceAll(".", "?."))];
  if (hasEffects(node.expression)) return [];
  const start = node.getStart();
  const inner = `${reading}${to.replaceAll(".", "?.")} ?? `;
  const isAlone = standsAlone(node);
  return [
    splice(start, start, isAlone ? inner : `(${inner}`),
    ...(isAlone ? [] : [splice(node.end, node.end, ")")]),
  ];
}

function inPattern({ propertyName, name }: ts.BindingElement, to: string): Splice[] {
  const text = to.includes(".") ? to.split(".").join(": { ") : to;
  const close = " }".repeat(to.split(".").length - 1);
  if (propertyName) return close ? [] : [splice(propertyName.getStart(), propertyName.end, to)];
  return [splice(name.getStart(), name.end, `${text}: ${name.getText()}${close}`)];
}

/** Whether `?? x` may follow without parentheses. */
function standsAlone(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    return parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  }
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isForOfStatement(parent) ||
    (ts.isCallExpression(parent) && parent.expression !== node) ||
    (ts.isArrowFunction(parent) && parent.body === node)
  );
}

function hasEffects(node: ts.Node): boolean {
  if (ts.isCallExpression(node) || ts.isAwaitExpression(node)) return true;
  return ts.forEachChild(node, (child) => hasEffects(child) || undefined) ?? false;
}

/** Types written in the file that name the old member learn the new one, as an optional member. */
function declared(file: ts.SourceFile, name: string, to: string): Splice[] {
  if (to.includes(".")) return [];
  return nodesOf(file).flatMap((node) => {
    if (!ts.isPropertySignature(node) || node.name.getText(file) !== name) return [];
    const around = node.parent.getText(file);
    if (new RegExp(`\\b${to}\\??:`).test(around)) return [];
    return [
      splice(node.getStart(), node.getStart(), `${to}: ${node.type?.getText(file) ?? "any"}; `),
    ];
  });
}
