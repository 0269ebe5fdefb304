import { ts } from "ts-morph";
import type { Edit } from "../../domain/candidate.ts";
import type { Suspicion } from "../../domain/incident.ts";
import type { Change, Family } from "./change.ts";
import { OPERATORS, type OperatorName } from "./operator-table.ts";
import { preparations } from "./operators/arguments.ts";
import { binary, unary } from "./operators/binary.ts";
import { callArguments, globals, wraps } from "./operators/calls.ts";
import { conditions } from "./operators/conditions.ts";
import { copies } from "./operators/copies.ts";
import { branches, jumps, results } from "./operators/flow.ts";
import { allAlike, grouping, siblings, usedResults } from "./operators/groups.ts";
import { accumulations, responseGuards, sequences, thrown } from "./operators/flowing.ts";
import { guards, preconditions } from "./operators/guards.ts";
import { exchanges } from "./operators/exchanges.ts";
import { expressions, identifiers, moreLiterals, moreOperands } from "./operators/identifiers.ts";
import { booleans, strings } from "./operators/literals.ts";
import { idioms } from "./operators/idioms.ts";
import { loops } from "./operators/loops.ts";
import { fewerCalls, members, methods, moreCalls } from "./operators/members.ts";
import { fallbacks, nullish, optionalChains } from "./operators/missing-values.ts";
import { missingUpdates } from "./operators/missing-updates.ts";
import { numbers, offByOne } from "./operators/numbers.ts";
import { objects } from "./operators/objects.ts";
import { refusals } from "./operators/refusals.ts";
import { regexes } from "./operators/regexes.ts";
import { rounding } from "./operators/rounding.ts";
import { sorting } from "./operators/sorting.ts";
import { statements } from "./operators/statements.ts";
import { bothSides, cleanings, prefixes, separators } from "./operators/texts.ts";
import { waiting } from "./operators/waiting.ts";
import { sceneOf, type Scene } from "./scene.ts";
import { suspicionOf } from "./suspicion.ts";
import { usageFactor, usesOf } from "./uses.ts";

const FAMILIES: readonly Family[] = [
  [binary, unary, numbers, offByOne, conditions, identifiers, expressions, moreOperands],
  [bothSides, cleanings, separators, prefixes, accumulations, sequences, responseGuards, thrown],
  [moreLiterals, grouping, allAlike, siblings, usedResults],
  [members, methods, fewerCalls, moreCalls, callArguments, globals, wraps],
  [
    nullish,
    optionalChains,
    fallbacks,
    guards,
    refusals,
    preconditions,
    preparations,
    waiting,
    copies,
  ],
  [statements, missingUpdates, jumps, branches, results, booleans, strings, loops],
  [regexes, objects, sorting, rounding, idioms, exchanges],
].flat();

/** A source as the search needs it: only the text and the language matter. */
export type SearchSource = {
  readonly text: string;
  readonly language: "ts" | "js";
  readonly entry: string | null;
};

export type Search = {
  readonly suspicions: readonly Suspicion[];
  /** Messages of errors that failing cases want, and that the source does not throw. */
  readonly wantedErrors?: readonly string[];
  readonly offset: number;
  readonly limit: number;
};

/** One change of the source, as splices in plain JavaScript. */
export type EnumeratedEdit = {
  readonly edits: readonly Edit[];
  readonly operator: string;
  readonly prior: number;
};

/** The list last made: batches of one search ask for it again and again. */
let last: { readonly key: string; readonly edits: readonly EnumeratedEdit[] } | null = null;

/**
 * Single changes of a source, most likely first, none twice; at most `limit`, from `offset`. How
 * likely is the operator's prior, shared among the changes that it can make here, times the
 * suspicion of the place. Places that no failing case executed are left out.
 */
export function enumerateEdits(source: SearchSource, search: Search): EnumeratedEdit[] {
  const { suspicions, wantedErrors = [] } = search;
  const key = JSON.stringify([source.language, source.text, suspicions, wantedErrors]);
  if (last?.key !== key) last = { key, edits: ranked(source, suspicions, wantedErrors) };
  return last.edits.slice(search.offset, search.offset + search.limit);
}

function ranked(
  source: SearchSource,
  suspicions: readonly Suspicion[],
  wantedErrors: readonly string[],
): EnumeratedEdit[] {
  const name = source.language === "ts" ? "skill.ts" : "skill.js";
  const file = ts.createSourceFile(name, source.text, ts.ScriptTarget.Latest, true);
  const uses = usesOf(file);
  const weighed = changesOf(file, sceneOf(file, wantedErrors))
    .map((change) => ({ change, weight: change.weight * suspicionOf(change.at, suspicions, file) }))
    .map(({ change, weight }) => ({ change, weight: weight * usageFactor(change.splices, uses) }))
    .filter(({ weight }) => weight > 0);
  const totals = new Map<string, number>();
  for (const { change, weight } of weighed) {
    totals.set(change.operator, (totals.get(change.operator) ?? 0) + weight);
  }
  const edits = weighed
    .map(({ change: { operator, splices }, weight }) => ({
      edits: splices,
      operator,
      prior: Math.min(1, shared(operator, weight, totals.get(operator) ?? 1)),
    }))
    .toSorted((a, b) => b.prior - a.prior);
  return distinct(edits, source.text);
}

/** The prior of an operator, shared among the changes that it can make. */
function shared(operator: OperatorName, weight: number, total: number): number {
  return (OPERATORS[operator].prior * weight) / Math.sqrt(Math.max(1, total));
}

function changesOf(file: ts.SourceFile, scene: Scene): readonly Change[] {
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (isErased(node)) return;
    for (const family of FAMILIES) changes.push(...family(node, scene));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return changes;
}

/** Types and imports are no part of what runs. */
function isErased(node: ts.Node): boolean {
  return (
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  );
}

/** Keeps the first of those edits that leave the same text behind, and drops those without effect. */
function distinct(edits: readonly EnumeratedEdit[], text: string): EnumeratedEdit[] {
  const seen = new Set<string>();
  return edits.filter((edit) => {
    const key = effectOf(edit.edits, text);
    if (key === null || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The smallest single replacement with the same effect, as text; null where nothing changes. */
function effectOf(edits: readonly Edit[], text: string): string | null {
  const splices = edits.filter((edit) => edit.op === "splice");
  let start = Math.min(...splices.map((splice) => splice.start));
  let end = Math.max(...splices.map((splice) => splice.end));
  let after = "";
  let at = start;
  for (const splice of splices) {
    after += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  let from = 0;
  let to = after.length;
  while (from < to && start < end && text[start] === after[from]) {
    start += 1;
    from += 1;
  }
  while (to > from && end > start && text[end - 1] === after[to - 1]) {
    end -= 1;
    to -= 1;
  }
  if (start === end && from === to) return null;
  return `${start}:${end}:${after.slice(from, to)}`;
}
