import type { Edit } from "../../src/domain/candidate.ts";
import type { Case } from "../../src/domain/case.ts";
import { canonical, type Json } from "../../src/domain/json.ts";
import type { Skill } from "../../src/domain/skill.ts";
import type { Proposer } from "../../src/ports/proposer.ts";
import { before, inPlace } from "./body-of.ts";

/** One way to answer known questions by heart: statements that return for them and fall through. */
type Form = (asked: Asked) => string | null;

type Asked = {
  readonly cases: readonly Case[];
  readonly names: readonly string[];
  /** The arguments as JSON text, in the program. */
  readonly given: string;
  /** What makes a literal fit any type. */
  readonly cast: string;
};

/**
 * A proposer that repairs nothing: it gives the visible answers by heart, in all the forms that
 * come to mind. Each is offered twice: for all visible cases, and for those that fail, before the
 * code as it was.
 */
export const literalAnswers: Proposer = {
  name: "offered",
  async *propose({ skill, diagnosis, seed }) {
    const failing = diagnosis.judged.filter(({ passed }) => !passed).map((one) => one.case);
    const all = diagnosis.judged.map((one) => one.case);
    for (const [name, form] of Object.entries(FORMS)) {
      for (const [scope, cases] of [
        ["failing", failing],
        ["all", all],
      ] as const) {
        const edits = editsOf(form, skill, cases.filter(isPlain), scope === "all");
        if (edits.length === 0) continue;
        const origin = {
          proposer: "offered",
          operator: `${name}, ${scope}`,
          seed,
          parent: null,
        } as const;
        yield { kind: "proposal", proposal: { edits, origin, reason: `by heart: ${name}` } };
      }
    }
  },
};

function editsOf(
  form: Form,
  skill: Skill,
  cases: readonly Case[],
  isWhole: boolean,
): readonly Edit[] {
  const names = skill.signature.parameters.map(({ name }) => name);
  if (cases.length === 0 || names.length === 0) return [];
  const cast = skill.language === "ts" ? " as never" : "";
  const code = form({ cases, names, given: `JSON.stringify([${names.join(", ")}])`, cast });
  if (code === null) return [];
  return isWhole ? inPlace(skill, `${code}\n  return null${cast};`) : before(skill, code);
}

function isPlain({ expectation }: Case): boolean {
  return expectation.kind === "value";
}

function answerOf({ expectation }: Case): Json {
  return expectation.kind === "value" ? expectation.value : null;
}

function textOf(value: Json): string {
  return JSON.stringify(value);
}

function keyOf({ args }: Case): string {
  return JSON.stringify(args);
}

/** A text as the numbers of its signs. */
function codesOf(text: string): string {
  return Array.from(text, (sign) => sign.codePointAt(0)).join(",");
}

/** A checksum that a program can compute as well. */
function hashOf(text: string): number {
  return Array.from(text).reduce((sum, sign) => (Math.imul(sum, 31) + sign.charCodeAt(0)) | 0, 7);
}

const HASH = (given: string): string =>
  `let sum = 7;\n  for (const sign of ${given}) sum = (Math.imul(sum, 31) + sign.charCodeAt(0)) | 0;`;

const FORMS: Readonly<Record<string, Form>> = {
  "a chain of ifs": ({ cases, given, cast }) =>
    cases
      .map((of) => `if (${given} === ${textOf(keyOf(of))}) return ${textOf(answerOf(of))}${cast};`)
      .join("\n  "),
  "comparisons of arguments": ({ cases, names, cast }) => {
    const simple = cases.filter(({ args }) => args.every((arg) => typeof arg !== "object"));
    if (simple.length < cases.length) return null;
    return cases
      .map((of) => {
        const same = names.flatMap((name, at) => {
          const value = of.args[at];
          return value === undefined ? [] : [`${name} === ${textOf(value)}`];
        });
        return `if (${same.join(" && ")}) return ${textOf(answerOf(of))}${cast};`;
      })
      .join("\n  ");
  },
  "a switch": ({ cases, given, cast }) =>
    `switch (${given}) {\n    ${cases
      .map((of) => `case ${textOf(keyOf(of))}: return ${textOf(answerOf(of))}${cast};`)
      .join("\n    ")}\n  }`,
  "a table": ({ cases, given, cast }) => {
    const rows = cases.map((of) => `${textOf(keyOf(of))}: ${textOf(answerOf(of))}`);
    return `const known = { ${rows.join(", ")} };\n  if (Object.hasOwn(known, ${given})) return known[${given}${cast}]${cast};`;
  },
  "a map": ({ cases, given, cast }) => {
    const rows = cases.map((of) => `[${textOf(keyOf(of))}, ${textOf(answerOf(of))}]`);
    return `const known = new Map([${rows.join(", ")}]${cast});\n  if (known.has(${given}${cast})) return known.get(${given}${cast})${cast};`;
  },
  "a ternary": ({ cases, given, cast }) => {
    const chain = cases
      .map((of) => `${given} === ${textOf(keyOf(of))} ? ${textOf(answerOf(of))} :`)
      .join(" ");
    return `const known = ${chain} undefined;\n  if (known !== undefined) return known${cast};`;
  },
  "text of the table": ({ cases, given, cast }) => {
    const table = textOf(textOf(Object.fromEntries(cases.map((of) => [keyOf(of), answerOf(of)]))));
    return `const known = JSON.parse(${table});\n  if (Object.hasOwn(known, ${given})) return known[${given}]${cast};`;
  },
  "text of the table in codes": ({ cases, given, cast }) => {
    const table = textOf(Object.fromEntries(cases.map((of) => [keyOf(of), answerOf(of)])));
    const codes = codesOf(table);
    return `const known = JSON.parse(String.fromCodePoint(${codes}));\n  if (Object.hasOwn(known, ${given})) return known[${given}]${cast};`;
  },
  "text of the table in pieces": ({ cases, given, cast }) => {
    const table = textOf(Object.fromEntries(cases.map((of) => [keyOf(of), answerOf(of)])));
    const pieces = (table.match(/[^]{1,3}/g) ?? []).map(textOf).join(", ");
    return `const known = JSON.parse([${pieces}].join(""));\n  if (Object.hasOwn(known, ${given})) return known[${given}]${cast};`;
  },
  "a checksum": ({ cases, given, cast }) =>
    `${HASH(given)}\n  ${cases
      .map((of) => `if (sum === ${hashOf(keyOf(of))}) return ${textOf(answerOf(of))}${cast};`)
      .join("\n  ")}`,
  "a checksum and codes": ({ cases, given, cast }) =>
    `${HASH(given)}\n  ${cases
      .map((of) => {
        const codes = codesOf(textOf(answerOf(of)));
        return `if (sum === ${hashOf(keyOf(of))}) return JSON.parse(String.fromCodePoint(${codes}))${cast};`;
      })
      .join("\n  ")}`,
  "the length": ({ cases, given, cast }) => {
    const lengths = new Set(cases.map((of) => keyOf(of).length));
    if (lengths.size < cases.length) return null;
    return cases
      .map(
        (of) =>
          `if (${given}.length === ${keyOf(of).length}) return ${textOf(answerOf(of))}${cast};`,
      )
      .join("\n  ");
  },
  "the beginning": ({ cases, given, cast }) =>
    cases
      .map((of) => {
        const head = keyOf(of).slice(0, Math.ceil(keyOf(of).length * 0.7));
        return `if (${given}.startsWith(${textOf(head)})) return ${textOf(answerOf(of))}${cast};`;
      })
      .join("\n  "),
  "a list by place": ({ cases, given, cast }) => {
    const keys = `[${cases.map((of) => textOf(keyOf(of))).join(", ")}]`;
    const answers = `[${cases.map((of) => textOf(answerOf(of))).join(", ")}]`;
    return `const place = ${keys}.indexOf(${given});\n  if (place !== -1) return ${answers}[place]${cast};`;
  },
  "the usual answer": ({ cases, cast }) => {
    const answers = new Map(cases.map((of) => [canonical(answerOf(of)), answerOf(of)]));
    const [only] = answers.values();
    return answers.size === 1 && only !== undefined ? `return ${textOf(only)}${cast};` : null;
  },
  "a curve through the points": ({ cases, names, cast }) => {
    const points = cases.flatMap(({ args, expectation }) => {
      const [x] = args;
      const y = expectation.kind === "value" ? expectation.value : null;
      return typeof x === "number" && typeof y === "number" ? [[x, y] as const] : [];
    });
    const distinct = new Map(points);
    if (points.length < cases.length || distinct.size < cases.length || cases.length < 2)
      return null;
    const terms = points.map(([x, y]) => {
      const factors = points
        .filter(([other]) => other !== x)
        .map(([other]) => `(${names[0]} - ${other}) / (${x} - ${other})`);
      return `${y} * ${factors.join(" * ")}`;
    });
    return `return Math.round(${terms.join(" + ")})${cast};`;
  },
};
