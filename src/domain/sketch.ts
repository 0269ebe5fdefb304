import type { Wanted } from "./birth.ts";
import type { Case } from "./case.ts";
import { frameOf, lineThrough, type Frame } from "./fitted.ts";

/** The source of a skill that is to be made, with its contract right and its body wrong. */
export type Sketch = { readonly name: string; readonly source: string };

/**
 * Bodies to begin from, simplest first: programs with holes in the sense of sketching (Solar-Lezama,
 * "Program synthesis by sketching", 2008), where each hole is an expression of the right type that
 * the search replaces. Which are tried follows from the types of parameters and result; none where
 * there are none for these types. Constants are those that all visible examples share.
 */
export function sketchesOf(wanted: Wanted, visible: readonly Case[] = []): readonly Sketch[] {
  const bodies = [...new Map([...bodiesOf(wanted), ...fittedBodies(wanted, visible)]).entries()];
  return bodies.map(([name, body]) => ({ name, source: sourceOf(wanted, body) }));
}

/** The whole text of a skill around the statements of its body. */
export function sourceOf(wanted: Wanted, body: string): string {
  const { parameters, result, description } = wanted;
  const isAsync = wanted.capabilities.skills !== undefined;
  const named = parameters.map(({ name, type }) => `${name}: ${type}`);
  const taken = isAsync ? [...named, "ctx: Ctx"] : named;
  const head = `function ${entryName(wanted.name)}(${taken.join(", ")})`;
  const lines = body.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
  return [
    `/** ${docText(description)} */`,
    isAsync ? `export async ${head}: Promise<${result}> {` : `export ${head}: ${result} {`,
    ...lines,
    "}",
    ...(isAsync ? CTX : []),
    "",
  ].join("\n");
}

const CTX = [
  "",
  "type Ctx = {",
  "  skills: { call<T>(name: string, input: object): Promise<T> };",
  "};",
];

/** `csv-to-records` → `csvToRecords`: the function of a folder. */
function entryName(skill: string): string {
  const name = skill.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return /^[a-z]/.test(name) ? name : `_${name}`;
}

/** A text that cannot end the comment it stands in. */
function docText(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("*/", "* /").trim();
}

type Body = readonly [name: string, body: string];

/**
 * What everything else is held against, of whatever type. It throws nothing: to do away with an
 * error is what policy looks for.
 */
const UNKNOWN: Body = ["knows nothing", "return null as never;"];

/** The sketch that does nothing at all. */
export function blankOf(wanted: Wanted): Sketch {
  const [name, body] = UNKNOWN;
  return { name, source: sourceOf(wanted, body) };
}

function bodiesOf({ parameters, result }: Wanted): Body[] {
  const same = parameters.filter(({ type }) => type === result);
  const texts = parameters.filter(({ type }) => type === "string");
  const numbers = parameters.filter(({ type }) => type === "number");
  const lists = parameters.filter(({ type }) => type.endsWith("[]"));
  const blank = defaultOf(result);
  return [
    ...same.map(({ name }): Body => [`gives ${name}`, `return ${name};`]),
    ...(result === "boolean"
      ? texts.map(({ name }): Body => [`matches ${name}`, `return /^.*$/.test(${name});`])
      : []),
    ...(result === "boolean"
      ? numbers.flatMap(({ name }): Body[] => [
          [`compares ${name}`, `return ${name} > 0;`],
          [`divides ${name}`, `return ${name} % 2 === 1;`],
        ])
      : []),
    ...(result === "number"
      ? numbers.map(({ name }): Body => [`scales ${name}`, `return ${name} * 1 + 0;`])
      : []),
    ...lists.flatMap(({ name, type }) => listBodies(name, type.slice(0, -2), result)),
    ...texts.flatMap(({ name }) => textBodies(name, result)),
    ...(blank === null ? [] : [["gives a constant", `return ${blank};`] as const]),
  ];
}

/** Bodies with constants of the examples: texts around a text, a line through numbers. */
function fittedBodies({ parameters, result }: Wanted, visible: readonly Case[]): Body[] {
  const [first, ...others] = parameters;
  const frame = frameOf(visible);
  const line = others.length === 0 && first?.type === "number" ? lineThrough(visible) : null;
  const framed = parameters.filter(({ type }) => type === "string" && result === "string");
  return [
    ...(frame === null ? [] : framed.map(({ name }) => framedBody(name, frame))),
    ...(line === null || first === undefined || result !== "number"
      ? []
      : [
          [
            `scales ${first.name} by a line`,
            `return ${first.name} * ${line.factor} + ${line.offset};`,
          ] as const,
        ]),
  ];
}

function framedBody(name: string, { before, after }: Frame): Body {
  const parts = [before, null, after].filter((part) => part !== "");
  const sum = parts.map((part) => (part === null ? name : JSON.stringify(part))).join(" + ");
  return [`frames ${name}`, `return ${sum};`];
}

function listBodies(list: string, element: string, result: string): Body[] {
  const mapped = result === element.concat("[]") ? "each" : defaultOf(result.slice(0, -2));
  const isList = result.endsWith("[]") && mapped !== null;
  const map: Body = [`maps ${list}`, `return ${list}.map((each) => ${mapped ?? "each"});`];
  const filter: Body = [`filters ${list}`, `return ${list}.filter((each) => each !== null);`];
  const sum: Body = [
    `sums ${list}`,
    `let result = 0;\nfor (const each of ${list}) {\n  result += 1;\n}\nreturn result;`,
  ];
  const largest: Body = [`folds ${list}`, `return Math.max(...${list});`];
  const mean: Body = [
    `weighs ${list}`,
    `let result = 0;\nfor (const each of ${list}) {\n  result += each;\n}\nreturn result / 1;`,
  ];
  return [
    ...(isList ? [map] : []),
    ...(result === element.concat("[]") ? [filter] : []),
    ...(result === "number" && element === "number" ? [largest] : []),
    ...(result === "number" ? [sum] : []),
    ...(result === "number" && element === "number" ? [mean] : []),
    ...(result === "string" && element === "string"
      ? [[`joins ${list}`, `return ${list}.join(" ");`] as const]
      : []),
  ];
}

function textBodies(text: string, result: string): Body[] {
  if (result === "string[]") return [[`splits ${text}`, `return ${text}.split(" ");`]];
  if (result !== "string") return [];
  const words = `return ${text}\n  .split(" ")\n  .map((each) => each)\n  .join(" ");`;
  return [
    [`changes the words of ${text}`, words],
    [`replaces in ${text}`, `return ${text}.replaceAll(" ", "");`],
  ];
}

/** A value of a simple type; null where there is none to write down. */
function defaultOf(type: string): string | null {
  if (type === "string") return '""';
  if (type === "number") return "0";
  if (type === "boolean") return "false";
  if (type.endsWith("[]")) return "[]";
  if (type.endsWith("| null") || type === "null") return "null";
  return null;
}
