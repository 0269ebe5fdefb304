import type { Json } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Reply } from "./answering.ts";
import type { SecretHeader } from "./secret-headers.ts";

/**
 * A reply without the secrets that went out with its request: a server that echoes them, as they are
 * or as texts commonly write them, tells the skill their names.
 */
export function redacted(reply: Reply, secrets: readonly SecretHeader[]): Reply {
  const forms = secrets.flatMap(formsOf).toSorted((a, b) => b.form.length - a.form.length);
  if (forms.length === 0) return reply;
  const clean = (text: string): string =>
    forms.reduce((rest, { form, name }) => rest.replaceAll(form, `[secret ${name}]`), text);
  return reply.status === "resolved"
    ? { ...reply, value: cleaned(reply.value, clean) }
    : { ...reply, message: clean(reply.message), name: clean(reply.name) };
}

function cleaned(value: Json, clean: (text: string) => string): Json {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item: Json) => cleaned(item, clean));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [clean(key), cleaned(member, clean)]),
  );
}

type Form = { readonly name: string; readonly form: string };

/** A value as it is, in URLs, in JSON, in HTML, in base64 at any place of a text, and in hex. */
function formsOf({ name, value, as }: SecretHeader): Form[] {
  if (value === null) return [];
  const whole = as.replace("{}", () => value);
  const texts = new Set([
    value,
    encodeURIComponent(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    JSON.stringify(value).slice(1, -1),
    asHtml(value),
    ...base64Of(value),
    ...base64Of(whole),
    hexOf(value),
    hexOf(value).toUpperCase(),
  ]);
  return [...texts].filter((text) => text.length >= LEAST_LENGTH).map((form) => ({ name, form }));
}

/** Shorter forms than any value would be taken out of ordinary texts. */
const LEAST_LENGTH = 8;

function asHtml(value: string): string {
  const named: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return value.replace(/[&<>"']/g, (character) => named[character] ?? character);
}

function hexOf(value: string): string {
  return Buffer.from(value).toString("hex");
}

/** Base64 of a text, and what of it is the same wherever the text stands in a longer one. */
function base64Of(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from("\0".repeat(before) + value).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + value.length) * 8) / 6);
    const stable = encoded.slice(first, last);
    return [stable, stable.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
