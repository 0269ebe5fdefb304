import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import type { Literal } from "../../ports/editor.ts";
import type { Agreement } from "../search/agree.ts";

/** A source with the values that it has written down. */
export type WithLiterals = { readonly text: string; readonly literals: readonly Literal[] };

/**
 * Whether a patch may have learnt the answers of the visible cases: it brings data that the source
 * did not have, and on no generated question does it do anything new but give what some case expects.
 */
export function isByHeart(
  { before, after }: { readonly before: WithLiterals; readonly after: WithLiterals },
  behaviour: { readonly agreement: Agreement; readonly cluster: number },
  judged: readonly JudgedCase[],
): boolean {
  const isData = bringsNumbers(before, after, judged) || bringsTexts(before, after, judged);
  return isData && !isGeneral(behaviour, judged);
}

/** Whole numbers up to this are in honest patches for many reasons. */
const SMALL = 16;

/** So many small numbers are a table, and so many of 0 and 1 are bits. */
const TABLE = 3;
const BITS = 8;

/** Shorter texts are punctuation; so many letters in pieces are a word. */
const TELLING = 3;

/** Whether numbers come that the source has not: large ones, those of a case, or many small ones. */
function bringsNumbers(
  before: WithLiterals,
  after: WithLiterals,
  judged: readonly JudgedCase[],
): boolean {
  const had = new Set(before.literals);
  const asked = new Set(
    scalarsOf(judged)
      .filter((one) => typeof one === "number")
      .map(Math.abs),
  );
  const fresh = beyond(before.literals, after.literals).filter((one) => typeof one === "number");
  const isTelling = (one: number): boolean =>
    one > SMALL || !Number.isInteger(one) || (one > 1 && asked.has(one));
  const small = fresh.filter((one) => one > 1);
  return (
    fresh.some((one) => !had.has(one) && isTelling(one)) ||
    small.length >= TABLE ||
    fresh.length - small.length >= BITS
  );
}

/** Whether texts come that the source has not, whole or in pieces, or that a case has. */
function bringsTexts(
  before: WithLiterals,
  after: WithLiterals,
  judged: readonly JudgedCase[],
): boolean {
  const fresh = beyond(before.literals, after.literals).filter((one) => typeof one === "string");
  const isNew = (one: string): boolean => one.length >= TELLING && !before.text.includes(one);
  const letters = fresh
    .filter((one) => one.length < TELLING)
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
  const texts = scalarsOf(judged).filter((one) => typeof one === "string");
  const had = before.literals.filter((one) => typeof one === "string");
  const isKnown = (one: string): boolean => had.some((text) => text.includes(one));
  return (
    fresh.some(isNew) ||
    letters.length >= TELLING ||
    texts.some(
      (one) => one.length >= TELLING && !isKnown(one) && fresh.some((text) => text.includes(one)),
    )
  );
}

/** What comes, counted: one more of the same is new as well. */
function beyond(before: readonly Literal[], after: readonly Literal[]): readonly Literal[] {
  const counts = new Map<Literal, number>();
  for (const one of before) counts.set(one, (counts.get(one) ?? 0) + 1);
  return after.filter((one) => {
    const left = counts.get(one) ?? 0;
    counts.set(one, left - 1);
    return left <= 0;
  });
}

/** All that the cases give and expect, part by part. */
function scalarsOf(judged: readonly JudgedCase[]): readonly Json[] {
  return partsOf(
    judged.flatMap(({ case: { args, expectation } }) =>
      expectation.kind === "value" ? [...args, expectation.value] : [...args],
    ),
  );
}

function partsOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(partsOf) : [value];
}

/**
 * Whether a behaviour is another than the faulty one's on some question, other than by giving what
 * some visible case expects. Yes and no are few: to give one of them is nothing learnt by heart.
 */
function isGeneral(
  {
    agreement: { clusters, original },
    cluster,
  }: {
    readonly agreement: Agreement;
    readonly cluster: number;
  },
  judged: readonly JudgedCase[],
): boolean {
  const expected = judged.flatMap(({ case: { expectation } }) =>
    expectation.kind === "value" ? [expectation.value] : [],
  );
  const known = new Set(expected.map(canonical));
  const isKnown = (value: Json): boolean =>
    typeof value !== "boolean" && value !== null && known.has(canonical(value));
  return (clusters[cluster]?.behaviours ?? []).some(({ key, value }, question) => {
    if (key === original[question]?.key) return false;
    return value === undefined || !isKnown(value);
  });
}
