import type { Case } from "../../domain/case.ts";
import { isJsonObject, sameJson, type Json } from "../../domain/json.ts";
import type { Outcome } from "../../domain/trace.ts";

/** What a value of the wrong kind, or a fault where a value is expected, is worth. */
const WRONG_KIND = 0.05;

/**
 * How near an outcome is to what is expected, in [0,1]; 1 is the expected outcome. Graded, so that
 * half a repair can be told from none: after the fitness of ARJA-e and of "output distance" guided
 * repair (Yuan and Banzhaf, TOSEM 2020). Rewards have no distance here: 0.
 */
export function closeness(outcome: Outcome, { expectation }: Pick<Case, "expectation">): number {
  switch (expectation.kind) {
    case "reward":
      return 0;
    case "throws": {
      if (outcome.status !== "threw") return 0;
      return outcome.error.message.includes(expectation.message) ? 1 : 0.5;
    }
    case "value":
      return outcome.status === "returned" ? likeness(expectation.value, outcome.value) : 0;
  }
}

function likeness(wanted: Json, given: Json): number {
  if (sameJson(wanted, given)) return 1;
  if (typeof wanted === "number" && typeof given === "number") return ofNumbers(wanted, given);
  if (typeof wanted === "string" && typeof given === "string") {
    return scaled(shared(wanted.split(""), given.split(""), (a, b) => (a === b ? 1 : 0)));
  }
  if (Array.isArray(wanted) && Array.isArray(given)) {
    return scaled(shared(wanted as readonly Json[], given as readonly Json[], likeness));
  }
  if (isJsonObject(wanted) && isJsonObject(given)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(given)])];
    const parts = keys.map((key) => {
      const [a, b] = [wanted[key], given[key]];
      return a === undefined || b === undefined ? 0 : likeness(a, b);
    });
    return scaled(parts.reduce((sum, part) => sum + part, 0) / Math.max(1, keys.length));
  }
  return typeof wanted === typeof given ? 2 * WRONG_KIND : WRONG_KIND;
}

/** Nearly right is never right: what differs stays below 0.95. */
function scaled(share: number): number {
  return 0.1 + 0.85 * Math.min(1, share);
}

function ofNumbers(wanted: number, given: number): number {
  const gap = Math.abs(wanted - given) / Math.max(1, Math.abs(wanted));
  return scaled(0.8 / (1 + gap * 4));
}

/** What two lists share from the front and from the back, of the longer one. */
function shared<T>(a: readonly T[], b: readonly T[], like: (a: T, b: T) => number): number {
  const [most, least] = [Math.max(a.length, b.length), Math.min(a.length, b.length)];
  if (most === 0) return 1;
  let head = 0;
  while (head < least && like(a[head] as T, b[head] as T) === 1) head += 1;
  let tail = 0;
  const left = least - head;
  while (tail < left && like(a.at(-1 - tail) as T, b.at(-1 - tail) as T) === 1) tail += 1;
  let between = 0;
  for (let at = head; at < least - tail; at += 1) between += like(a[at] as T, b[at] as T);
  return (head + tail + between) / most;
}
