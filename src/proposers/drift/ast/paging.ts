import { ts } from "ts-morph";
import { isJsonObject, type Json } from "../../../domain/json.ts";
import { splice, nodesOf, type DriftEdit, type DriftScene } from "./drift-scene.ts";
import {
  awaitedCall,
  fetchStatements,
  indentOf,
  lineEndOf,
  type FetchStatement,
} from "./fetch-calls.ts";

/** Pages that are followed at most, so that a cursor that never ends does. */
const MOST_PAGES = 1000;

const NEXT =
  /^(next|nextpage|nextpagetoken|nextcursor|nexttoken|cursor|continuation|continuationtoken|pagetoken|after|endcursor)$/;

/** How the next page is asked for: an expression over `next` and the first URL. */
type Way = { readonly read: string; readonly url: (first: string) => string };

type Page = {
  readonly fetch: FetchStatement;
  readonly statement: ts.VariableStatement;
  /** The name of the parsed body. */
  readonly body: string;
};

/**
 * A tool that reads one page reads all: after the first page a bounded loop follows the cursor,
 * token, or link that the payload or the `Link` header names, and appends to the first page's list.
 */
export function* paging({ file, evidence }: DriftScene): Generator<DriftEdit> {
  const lists = listsIn(evidence.payloads);
  const links = evidence.headers.flatMap(
    (headers) => /<([^>]*)>[^,]*rel="?next/i.exec(headers["link"] ?? "")?.[1] ?? [],
  );
  for (const page of pagesOf(file)) {
    for (const list of lists) {
      for (const way of waysOf(evidence.payloads, page, links)) {
        const edits = [splice(page.statement.end, page.statement.end, loop(page, list, way))];
        yield {
          edits,
          operator: "paging",
          reason: "the answer has further pages, which are read too",
        };
      }
    }
  }
}

/** Names of members that hold a list; "" where the payload is the list. */
function listsIn(payloads: readonly Json[]): string[] {
  const names = payloads.flatMap((payload) => {
    if (Array.isArray(payload)) return [""];
    if (!isJsonObject(payload)) return [];
    return Object.keys(payload).filter((name) => Array.isArray(payload[name]));
  });
  return [...new Set(names)].slice(0, 3);
}

function waysOf(payloads: readonly Json[], { fetch, body }: Page, links: readonly string[]): Way[] {
  const ways: Way[] = [];
  for (const path of nextPaths(payloads)) {
    const read = `${body}?.${path.join("?.")}`;
    const name = path.at(-1) ?? "";
    ways.push({ read, url: asLink(payloads.flatMap((payload) => textsAt(payload, path))) });
    for (const parameter of parametersFor(name)) {
      const pair = `${parameter}=" + encodeURIComponent(String(next))`;
      ways.push({ read, url: (first) => withParameter(first, pair) });
    }
  }
  const link = `/<([^>]*)>[^,]*rel="?next/.exec(${fetch.name}.headers.get("link") ?? "")?.[1]`;
  if (links.length > 0) ways.unshift({ read: link, url: asLink(links) });
  return ways;
}

/** A reference to the next page may be relative to the first (RFC 3986, 5.1.3), as those seen are. */
function asLink(seen: readonly string[]): Way["url"] {
  const isRelative = seen.some((reference) => /^[/?.]/.test(reference));
  return (first) => (isRelative ? `new URL(String(next), ${first}).href` : "String(next)");
}

function textsAt(payload: Json, path: readonly string[]): readonly string[] {
  const found = path.reduce<Json>(
    (at, name) => (isJsonObject(at) ? (at[name] ?? null) : null),
    payload,
  );
  return typeof found === "string" ? [found] : [];
}

/** Paths of members that name the next page, at most one level down. */
function nextPaths(payloads: readonly Json[]): string[][] {
  const paths = payloads.flatMap((payload) => {
    if (!isJsonObject(payload)) return [];
    return Object.entries(payload).flatMap(([name, value]) => {
      const inner = isJsonObject(value) ? Object.keys(value).filter(isNext) : [];
      return [
        ...(isNext(name) && !isJsonObject(value) ? [[name]] : []),
        ...inner.map((key) => [name, key]),
      ];
    });
  });
  return [...new Map(paths.map((path) => [path.join("."), path])).values()].slice(0, 2);
}

function isNext(name: string): boolean {
  return NEXT.test(name.replace(/[^A-Za-z]/g, "").toLowerCase());
}

/** `next_cursor` is asked for as `cursor` or by its own name. */
function parametersFor(name: string): string[] {
  const bare = name.replace(/^next[_-]?/i, "");
  const plain = bare.charAt(0).toLowerCase() + bare.slice(1);
  return [...new Set([plain, name, "cursor", "page_token", "pageToken"])]
    .filter((one) => one !== "")
    .slice(0, 4);
}

/** `const body = await res.json()` after `const res = await fetch(…)`. */
function pagesOf(file: ts.SourceFile): Page[] {
  const fetches = fetchStatements(file);
  return nodesOf(file).flatMap((node) => {
    if (!ts.isVariableStatement(node)) return [];
    const [declaration] = node.declarationList.declarations;
    if (!declaration?.initializer || !ts.isIdentifier(declaration.name)) return [];
    const call = awaitedCall(declaration.initializer, /\.json$/);
    const name = call?.expression.getText().replace(/\.json$/, "");
    const fetch = fetches.find((one) => one.name === name && one.statement.end <= node.pos + 1);
    const last = fetches.findLast((one) => one.name === name && one.statement.end <= node.end);
    const of = last ?? fetch;
    return of ? [{ fetch: of, statement: node, body: declaration.name.text }] : [];
  });
}

function loop({ fetch, statement, body }: Page, list: string, way: Way): string {
  const file = statement.getSourceFile();
  const indent = indentOf(statement);
  const [more, page, next, pages] = freeNames(file, ["more", "page", "next", "pages"]);
  const [first, ...others] = fetch.call.arguments;
  const url = way.url(parenthesised(first)).replaceAll("String(next)", `String(${next})`);
  const again = [url, ...others.map((other) => other.getText())].join(", ");
  const read = way.read.startsWith(`${body}?.`)
    ? `${page}${way.read.slice(body.length)}`
    : way.read.replace(`${fetch.name}.headers`, `${more}.headers`);
  const member = list === "" ? "" : `.${list}`;
  const callee = fetch.call.expression.getText();
  return [
    `for (let ${next} = ${way.read}, ${pages} = 1; ${next} && ${pages} < ${MOST_PAGES}; ${pages} += 1) {`,
    `  const ${more} = await ${callee}(${again});`,
    `  const ${page} = await ${more}.json();`,
    `  ${body}${member}.push(...${page}${member});`,
    `  ${next} = ${read};`,
    "}",
  ]
    .map((line) => `${lineEndOf(file)}${indent}${line}`)
    .join("");
}

/** The wished names, each with as many `_` as it takes to be new to the file. */
function freeNames(file: ts.SourceFile, wished: readonly string[]): string[] {
  return wished.map((name) => {
    let free = name;
    while (new RegExp(`\\b${free}\\b`).test(file.text)) free += "_";
    return free;
  });
}

function parenthesised(node: ts.Expression | undefined): string {
  if (!node) return '""';
  return ts.isIdentifier(node) || ts.isTemplateLiteral(node)
    ? node.getText()
    : `(${node.getText()})`;
}

/** One more query parameter; whether it is the first is asked only where the source cannot tell. */
function withParameter(first: string, pair: string): string {
  if (/[?]/.test(first)) return `${first} + "&${pair}`;
  if (/^[(`]/.test(first)) return `${first} + "?${pair}`;
  return `${first} + (${first}.includes("?") ? "&" : "?") + "${pair}`;
}
