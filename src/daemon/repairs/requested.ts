import type { Untyped } from "../../domain/birth.ts";
import { HoneError } from "../../domain/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Recurring } from "../../domain/recurring.ts";
import { isIdentifier } from "../../domain/value-types.ts";
import type { BirthRequest } from "../../ports/operations.ts";

/** What is wanted, with its examples as lines of cases.jsonl. */
export type Asked = { readonly wanted: Untyped; readonly examples: readonly JsonObject[] };

/** Examples that a skill can be learnt from at least. */
const FEWEST = 3;

/** A request by name, description and examples. */
export function askedFor({
  name,
  description,
  examples = [],
  parameters,
  by,
}: BirthRequest): Asked {
  const named = nameOf(name);
  if (description === undefined || description.trim() === "") {
    throw wrong("a new skill needs a description: what it does, and when to use it");
  }
  if (examples.length < FEWEST) {
    throw wrong(`a new skill needs ${FEWEST} examples at least, there are ${examples.length}`);
  }
  const inputs = namedInputs(examples, parameters);
  const names = [...new Set(inputs.flatMap((input) => Object.keys(input)))];
  if (examples.every(({ expect }) => expect === undefined)) {
    throw wrong("one example at least must say what to `expect`");
  }
  return {
    wanted: {
      name: named,
      description: description.trim(),
      parameters: names,
      capabilities: {},
      body: null,
      by,
    },
    examples: examples.map((one, at) => withInput(one, inputs[at] ?? {})),
  };
}

/** A request for steps that runs repeat: body and examples are those of the runs. */
export function composedOf(found: Recurring, { name, description, by }: BirthRequest): Asked {
  if (found.kind === "missing") {
    throw wrong(
      `${found.what}; nobody knows yet what it should answer`,
      `\`hone new ${found.name} --description … --examples …\` says it.`,
    );
  }
  const { parameters, body, calls, examples } = found;
  return {
    wanted: {
      name: nameOf(name ?? found.name),
      description: description ?? `${found.what}, in one step.`,
      parameters,
      capabilities: { skills: calls },
      body,
      by,
    },
    examples,
  };
}

function nameOf(name: string | undefined): string {
  if (name !== undefined && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 64) {
    return name;
  }
  throw wrong(`${name ?? "a new skill"} needs a name of small letters, digits and single hyphens`);
}

/** The examples' inputs by name. Positional arguments take the names given, or those of their kind. */
function namedInputs(
  examples: readonly JsonObject[],
  parameters: readonly string[] | undefined,
): readonly JsonObject[] {
  const inputs = examples.map(({ input, args }, at) => {
    if (isJsonObject(input)) return input;
    if (!Array.isArray(args)) throw wrong(`example ${at + 1} needs \`input\` or \`args\``);
    const values = args as readonly Json[];
    const names = parameters ?? values.map((_, one) => ARGUMENTS[one] ?? `value${one + 1}`);
    if (values.length > names.length)
      throw wrong(`example ${at + 1} has more arguments than names`);
    return Object.fromEntries(values.map((value, one) => [names[one] ?? "", value] as const));
  });
  const strange = inputs.flatMap((input) => Object.keys(input)).find((one) => !isIdentifier(one));
  if (strange === undefined) return inputs;
  throw wrong(`${JSON.stringify(strange)} cannot be the name of a parameter`);
}

const ARGUMENTS = ["value", "other", "third"];

function withInput(example: JsonObject, input: JsonObject): JsonObject {
  const kept = Object.entries(example).filter(([key]) => key !== "args");
  return { ...Object.fromEntries(kept), input };
}

function wrong(message: string, hint = ""): HoneError {
  return new HoneError("bad-input", message, { hint });
}
