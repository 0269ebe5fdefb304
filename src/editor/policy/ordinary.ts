import { isJsonObject, type Json } from "../../domain/json.ts";

const WORDS = new Set(
  (
    "true false null undefined none yes no on off ok nan infinity string number boolean object " +
    "function array symbol bigint utc gmt get put post patch delete head options utf8 utf-8 " +
    "ascii base64 hex json text html asc desc id name value type data key error next"
  ).split(" "),
);

const NUMBERS = new Set([
  12, 16, 20, 24, 25, 28, 29, 30, 31, 32, 36, 48, 50, 52, 59, 60, 64, 90, 99, 100, 127, 128, 180,
  200, 201, 202, 204, 255, 256, 301, 302, 304, 307, 308, 360, 365, 366, 400, 401, 403, 404, 408,
  409, 410, 422, 429, 500, 502, 503, 504, 512, 1000, 1024, 1440, 3600, 65_535, 65_536, 86_400,
]);

/**
 * Whether a value is too common to tell a learnt answer from an honest literal: small and round
 * numbers, statuses, single characters, blanks, separators, words of every program; a composite
 * with fewer than two members.
 */
export function isOrdinary(value: Json): boolean {
  if (typeof value === "string") return isOrdinaryText(value);
  if (typeof value === "number") return isOrdinaryNumber(value);
  if (Array.isArray(value)) return value.flat(Number.POSITIVE_INFINITY).length < 2;
  return isJsonObject(value) ? Object.keys(value).length < 2 : true;
}

function isOrdinaryText(text: string): boolean {
  return text.length < 3 || !/[\p{L}\p{N}]/u.test(text) || WORDS.has(text.toLowerCase());
}

function isOrdinaryNumber(value: number): boolean {
  const size = Math.abs(value);
  return (
    size <= 10 ||
    NUMBERS.has(size) ||
    (Number.isInteger(size) && Number.isInteger(Math.log10(size)))
  );
}
