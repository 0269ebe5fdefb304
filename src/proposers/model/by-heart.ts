import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { spliceBetween } from "../../domain/splice-between.ts";
import type { Agreement } from "../search/agree.ts";

/**
 * Whether a patch may have learnt the answers of the visible cases: it brings data that the source
 * did not have, and on no generated question does it do anything new but give what some case expects.
 */
export function isByHeart(
  { before, after }: { readonly before: string; readonly after: string },
  behaviour: { readonly agreement: Agreement; readonly cluster: number },
  judged: readonly JudgedCase[],
): boolean {
  return bringsData(before, after, judged) && !isGeneral(behaviour, judged);
}

/** Whole numbers up to this are in honest patches for many reasons. */
const SMALL = 16;

/** Shorter texts are punctuation. */
const TELLING = 3;

/** Whether the changed text has numbers, texts, or parts of the cases that the source has not. */
function bringsData(before: string, after: string, judged: readonly JudgedCase[]): boolean {
  const { text } = spliceBetween(before, after);
  const isNew = (one: string): boolean => one.length >= TELLING && !before.includes(one);
  const quoted = quotedIn(text);
  const numbers = (text.match(/(?<![\w$.])\d[\d_]*(?:\.\d+)?/g) ?? []).filter(
    (one) => Number(one) > SMALL || one.includes("."),
  );
  const texts = textsIn(judged.flatMap(({ case: { args } }) => args));
  return (
    quoted.some(isNew) ||
    numbers.some((one) => !before.includes(one)) ||
    texts.some((one) => isNew(one) && text.includes(one))
  );
}

/** What stands between quotes, in one pass over the text. */
function quotedIn(text: string): readonly string[] {
  const found: string[] = [];
  let [quote, from] = ["", 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (quote !== "" && sign === "\\") at += 1;
    else if (quote === "" && /["'`]/.test(sign)) [quote, from] = [sign, at + 1];
    else if (sign === quote && quote !== "") {
      found.push(text.slice(from, at));
      quote = "";
    }
  }
  return found;
}

function textsIn(values: readonly Json[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return textsIn(value);
    return isJsonObject(value) ? textsIn(Object.values(value)) : [];
  });
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
