import { enclosed, finite, member, type Operation } from "./operation.ts";
import { NO_VALUE, type Value } from "./values.ts";

type List = readonly Value[];
type Members = { readonly [key: string]: Value };

const isNumbers = (list: List): list is readonly number[] =>
  list.every((one) => typeof one === "number");
const byDifference = (list: List): Value | typeof NO_VALUE =>
  isNumbers(list) ? list.toSorted((x, y) => x - y) : NO_VALUE;

/** What is usually done with lists. */
export const LISTS: readonly Operation[] = [
  member(
    [["array"], "number", 1],
    (a) => `${a}.length`,
    (a: List) => a.length,
  ),
  member(
    [["array", "number"], null, 1],
    (a, b) => `${a}[${b}]`,
    (a: List, b: number) => a[b],
  ),
  member(
    [["array"], null, 3],
    (a) => `${a}.at(-1)`,
    (a: List) => a.at(-1),
  ),
  member(
    [["array", "number"], "array", 2],
    (a, b) => `${a}.slice(${b})`,
    (a: List, b: number) => a.slice(b),
  ),
  member(
    [["array", "number", "number"], "array", 2],
    (a, b, c) => `${a}.slice(${b}, ${c})`,
    (a: List, b: number, c: number) => a.slice(b, c),
  ),
  member(
    [["array", "array"], "array", 2],
    (a, b) => `${a}.concat(${b})`,
    (a: List, b: List) => a.concat(b),
  ),
  enclosed(
    [["array", "any"], "array", 3],
    (a, b) => `[...${a}, ${b}]`,
    (a: List, b: Value) => [...a, b],
  ),
  member(
    [["array", "any"], "boolean", 2],
    (a, b) => `${a}.includes(${b})`,
    (a: List, b: Value) => (typeof b === "object" && b !== null ? NO_VALUE : a.includes(b)),
  ),
  member(
    [["array", "any"], "number", 2],
    (a, b) => `${a}.indexOf(${b})`,
    (a: List, b: Value) => (typeof b === "object" && b !== null ? NO_VALUE : a.indexOf(b)),
  ),
  member(
    [["array", "string"], "string", 2],
    (a, b) => `${a}.join(${b})`,
    (a: List, b: string) =>
      a.every((one) => typeof one === "string" || typeof one === "number") ? a.join(b) : NO_VALUE,
  ),
  enclosed(
    [["array"], "array", 4],
    (a) => `[...${a}].reverse()`,
    (a: List) => a.toReversed(),
  ),
  enclosed([["array"], "array", 5], (a) => `[...${a}].sort((x, y) => x - y)`, byDifference),
  enclosed(
    [["array"], "array", 4],
    (a) => `[...new Set(${a})]`,
    (a: List) =>
      a.some((one) => typeof one === "object" && one !== null) ? NO_VALUE : [...new Set(a)],
  ),
  member(
    [["array"], "array", 3],
    (a) => `${a}.flat()`,
    (a: List) => a.flat() as List,
  ),
  enclosed(
    [["array"], "number", 3],
    (a) => `Math.max(...${a})`,
    (a: List) => (isNumbers(a) ? finite(Math.max(...a)) : NO_VALUE),
  ),
  enclosed(
    [["array"], "number", 3],
    (a) => `Math.min(...${a})`,
    (a: List) => (isNumbers(a) ? finite(Math.min(...a)) : NO_VALUE),
  ),
  member(
    [["array"], "number", 5],
    (a) => `${a}.reduce((x, y) => x + y, 0)`,
    (a: List) => (isNumbers(a) ? finite(a.reduce((x, y) => x + y, 0)) : NO_VALUE),
  ),
];

/** What is usually done with objects. */
export const OBJECTS: readonly Operation[] = [
  enclosed(
    [["object"], "array", 2],
    (a) => `Object.keys(${a})`,
    (a: Members) => Object.keys(a),
  ),
  enclosed(
    [["object"], "array", 3],
    (a) => `Object.values(${a})`,
    (a: Members) => Object.values(a),
  ),
  member([["object", "string"], null, 1], (a, b) => `${a}[${b}]`, own),
  enclosed(
    [["object", "string"], "boolean", 3],
    (a, b) => `Object.hasOwn(${a}, ${b})`,
    (a: Members, b: string) => Object.hasOwn(a, b),
  ),
];

function own(of: Members, key: string): Value | typeof NO_VALUE {
  if (Object.hasOwn(of, key)) return of[key];
  return key in Object.prototype ? NO_VALUE : undefined;
}

/** Reading a member of that name. */
export function memberOf(key: string): Operation {
  return member(
    [["object"], null, 1],
    (a) => `${a}.${key}`,
    (a: Members) => own(a, key),
  );
}
