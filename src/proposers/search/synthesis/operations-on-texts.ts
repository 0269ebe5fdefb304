import { PRECEDENCE } from "../precedence.ts";
import { enclosed, finite, infix, member, type Operation } from "./operation.ts";
import { NO_VALUE } from "./values.ts";

/** What is usually done with texts. */
export const TEXTS: readonly Operation[] = [
  infix(
    [["string", "string"], "string", 1],
    ["+", PRECEDENCE.sum],
    (a: string, b: string) => a + b,
  ),
  infix(
    [["string", "number"], "string", 2],
    ["+", PRECEDENCE.sum],
    (a: string, b: number) => a + b,
  ),
  infix(
    [["number", "string"], "string", 2],
    ["+", PRECEDENCE.sum],
    (a: number, b: string) => a + b,
  ),
  member(
    [["string"], "number", 1],
    (a) => `${a}.length`,
    (a: string) => a.length,
  ),
  member(
    [["string"], "string", 2],
    (a) => `${a}.trim()`,
    (a: string) => a.trim(),
  ),
  member(
    [["string"], "string", 2],
    (a) => `${a}.toLowerCase()`,
    (a: string) => a.toLowerCase(),
  ),
  member(
    [["string"], "string", 2],
    (a) => `${a}.toUpperCase()`,
    (a: string) => a.toUpperCase(),
  ),
  member(
    [["string", "number"], null, 1],
    (a, b) => `${a}[${b}]`,
    (a: string, b: number) => a[b],
  ),
  member(
    [["string", "number"], "string", 2],
    (a, b) => `${a}.slice(${b})`,
    (a: string, b: number) => a.slice(b),
  ),
  member(
    [["string", "number", "number"], "string", 2],
    (a, b, c) => `${a}.slice(${b}, ${c})`,
    (a: string, b: number, c: number) => a.slice(b, c),
  ),
  member(
    [["string", "number"], "string", 3],
    (a, b) => `${a}.repeat(${b})`,
    (a: string, b: number) =>
      Number.isInteger(b) && b >= 0 && a.length * b <= 400 ? a.repeat(b) : NO_VALUE,
  ),
  member(
    [["string", "string"], "boolean", 2],
    (a, b) => `${a}.includes(${b})`,
    (a: string, b: string) => a.includes(b),
  ),
  member(
    [["string", "string"], "boolean", 2],
    (a, b) => `${a}.startsWith(${b})`,
    (a: string, b: string) => a.startsWith(b),
  ),
  member(
    [["string", "string"], "boolean", 2],
    (a, b) => `${a}.endsWith(${b})`,
    (a: string, b: string) => a.endsWith(b),
  ),
  member(
    [["string", "string"], "number", 2],
    (a, b) => `${a}.indexOf(${b})`,
    (a: string, b: string) => a.indexOf(b),
  ),
  member(
    [["string", "string"], "number", 3],
    (a, b) => `${a}.lastIndexOf(${b})`,
    (a: string, b: string) => a.lastIndexOf(b),
  ),
  member(
    [["string", "string"], "array", 2],
    (a, b) => `${a}.split(${b})`,
    (a: string, b: string) => a.split(b),
  ),
  enclosed(
    [["string"], "array", 3],
    (a) => `Array.from(${a})`,
    (a: string) => Array.from(a),
  ),
  enclosed(
    [["string"], "number", 3],
    (a) => `Number(${a})`,
    (a: string) => finite(Number(a)),
  ),
  enclosed(
    [["number"], "string", 3],
    (a) => `String(${a})`,
    (a: number) => String(a),
  ),
];
