import type { Called, Occurrence } from "./chains.ts";
import { canonical, sameJson, type Json, type JsonObject } from "./json.ts";
import { isIdentifier } from "./value-types.ts";

/** A member of a call's input, and where in the answer before it the value comes from. */
export type Flow = { readonly member: string; readonly path: readonly string[] };

/** A sequence of calls as a program, with the runs as its examples. */
export type Composed = {
  readonly body: string;
  /** Lines of cases.jsonl, one for each different input. */
  readonly examples: readonly JsonObject[];
  /** Names, in the order of the call. */
  readonly parameters: readonly string[];
};

/** Where a member's value comes from. */
type Source =
  | { readonly from: "before"; readonly path: readonly string[] }
  | { readonly from: "constant"; readonly value: Json }
  | { readonly from: "parameter"; readonly name: string };

type Step = { readonly skill: string; readonly members: readonly (readonly [string, Source])[] };

/**
 * The program that does what all occurrences do: members that flow are taken from the answer before,
 * those that are always the same are written down, and the others become parameters. Null where two
 * runs give it the same and want different answers, or where a name cannot be written.
 */
export function composed(
  occurrences: readonly Occurrence[],
  flows: readonly (readonly Flow[])[],
): Composed | null {
  const steps = stepsOf(occurrences, flows);
  const names = steps.flatMap(({ members }) =>
    members.flatMap(([, source]) => (source.from === "parameter" ? [source.name] : [])),
  );
  if (!names.every(isIdentifier) || names.length === 0) return null;
  const examples = occurrences.map((one) => exampleOf(one, steps));
  const distinct = new Map(examples.map((one) => [canonical(one["input"] ?? null), one] as const));
  const isFunction = examples.every((one) => {
    const same = distinct.get(canonical(one["input"] ?? null));
    return sameJson(same?.["expect"] ?? null, one["expect"] ?? null);
  });
  if (!isFunction) return null;
  return { body: bodyOf(steps), parameters: names, examples: [...distinct.values()] };
}

function stepsOf(
  occurrences: readonly Occurrence[],
  flows: readonly (readonly Flow[])[],
): readonly Step[] {
  const first = occurrences[0]?.steps ?? [];
  const taken = new Set<string>();
  return first.map(({ skill, input }, at) => {
    const members = Object.keys(input).map((member): readonly [string, Source] => {
      const flow = at === 0 ? undefined : flows[at - 1]?.find((one) => one.member === member);
      if (flow !== undefined) return [member, { from: "before", path: flow.path }];
      const values = occurrences.map(({ steps }) => steps[at]?.input[member] ?? null);
      const [value = null] = values;
      // What the sequence begins with is its input, also where all runs happen to give the same.
      if (at > 0 && values.every((one) => sameJson(one, value))) {
        return [member, { from: "constant", value }];
      }
      const name = taken.has(member) ? `${member}${at + 1}` : member;
      taken.add(name);
      return [member, { from: "parameter", name }];
    });
    return { skill, members };
  });
}

function exampleOf({ run, steps: called }: Occurrence, steps: readonly Step[]): JsonObject {
  const input = Object.fromEntries<Json>(
    steps.flatMap(({ members }, at) =>
      members.flatMap(([member, source]) =>
        source.from === "parameter" ? [[source.name, called[at]?.input[member] ?? null]] : [],
      ),
    ),
  );
  const answers = Map.groupBy(called, ({ skill }) => skill);
  const skills = Object.fromEntries(
    [...answers].map(([skill, calls]) => [skill, calls.map(ruleOf)] as const),
  );
  const expect = called.at(-1)?.value ?? null;
  return { name: `as in run ${run.id}`, input, expect, capabilities: { skills } };
}

function ruleOf({ input, value }: Called): JsonObject {
  return { input, result: value };
}

/** An answer has the type of what is taken from it: other members may be those of runs set aside. */
function bodyOf(steps: readonly Step[]): string {
  const lines = steps.map(({ skill, members }, at) => {
    const input = members.map((member) => memberText(member, at)).join(", ");
    const asked = `(${JSON.stringify(skill)}, { ${input} });`;
    const next = steps[at + 1];
    if (next === undefined) return `return await ctx.skills.call${asked}`;
    return `const step${at + 1} = await ctx.skills.call<${typeOfPieces(takenBy(next))}>${asked}`;
  });
  return lines.join("\n");
}

function takenBy({ members }: Step): readonly (readonly string[])[] {
  return members.flatMap(([, source]) => (source.from === "before" ? [source.path] : []));
}

function typeOfPieces(paths: readonly (readonly string[])[]): string {
  const inner = paths.filter((path) => path.length > 0);
  if (inner.length === 0) return "unknown";
  const members = [...Map.groupBy(inner, ([key = ""]) => key)].map(([key, some]) => {
    const name = isIdentifier(key) ? key : JSON.stringify(key);
    return `${name}: ${typeOfPieces(some.map((path) => path.slice(1)))}`;
  });
  return `{ ${members.join("; ")} }`;
}

function memberText([member, source]: readonly [string, Source], at: number): string {
  const key = isIdentifier(member) ? member : JSON.stringify(member);
  switch (source.from) {
    case "parameter":
      return source.name === key ? key : `${key}: ${source.name}`;
    case "constant":
      return `${key}: ${JSON.stringify(source.value)}`;
    case "before":
      return `${key}: step${at}${source.path.map((part) => `[${JSON.stringify(part)}]`).join("")}`;
  }
}
