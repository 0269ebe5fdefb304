import { canonical, type Json, type JsonObject } from "./json.ts";

/** One recorded answer of the outside world, tried in order; the first that fits is used. */
export type FetchRule = {
  /** `METHOD url`; a final `*` stands for any rest. */
  readonly match: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or a value that stands for its JSON text. */
  readonly body?: Json;
  /** Uses before the rule is skipped. */
  readonly times?: number;
  /** The request rejects with this message. */
  readonly error?: string;
  /** Turns of virtual time before the answer. */
  readonly ticks?: number;
};

/** The world in which a case runs. */
export type CaseWorld = {
  readonly fetch?: readonly FetchRule[];
  readonly kv?: JsonObject;
  /** Milliseconds since the epoch at the start of the run. */
  readonly now?: number;
  readonly seed?: number;
  /** What a language model answered to a prompt, word for word. */
  readonly model?: readonly { readonly prompt: string; readonly text: string }[];
  /** Answers of other skills: `name` → rules tried in order on equal input. */
  readonly skills?: Readonly<
    Record<
      string,
      readonly { readonly input: Json; readonly result?: Json; readonly error?: string }[]
    >
  >;
};

/** What a case asks of the outcome. */
export type Expectation =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "throws"; readonly message: string }
  /** The skill's own reward reaches this score. */
  | { readonly kind: "reward"; readonly atLeast: number };

/** An input with its expected outcome. */
export type Case = {
  readonly name: string;
  readonly args: readonly Json[];
  readonly expectation: Expectation;
  readonly world: CaseWorld;
};

/** A case as one line of cases.jsonl. Arguments stay positional; an empty world is left out. */
export function lineOf({ name, args, expectation, world }: Case): string {
  const capabilities = Object.keys(world).length > 0 ? { capabilities: world } : {};
  return JSON.stringify({ name, args, ...expectedMember(expectation), ...capabilities });
}

function expectedMember(expectation: Expectation): object {
  switch (expectation.kind) {
    case "value":
      return { expect: expectation.value };
    case "throws":
      return { throws: expectation.message };
    case "reward":
      return { reward: expectation.atLeast };
  }
}

/**
 * The case with what was asked of the world during verification added to its world, behind the rules
 * that it has: one that is used up is followed by what was answered then.
 */
export function withRecordings(of: Case, rules: readonly FetchRule[]): Case {
  const lasting = (of.world.fetch ?? []).filter(({ times }) => times === undefined);
  const known = new Set(lasting.map(({ match }) => match));
  const fresh = rules.filter(({ match }, at) => {
    const isFirst = rules.findIndex((rule) => rule.match === match) === at;
    return isFirst && !known.has(match);
  });
  return fresh.length === 0
    ? of
    : { ...of, world: { ...of.world, fetch: [...(of.world.fetch ?? []), ...fresh] } };
}

/** Whether two cases ask the same and expect the same, or have one name. */
export function isSameCase(a: Case, b: Case): boolean {
  if (a.name === b.name) return true;
  return contentOf(a) === contentOf(b);
}

/** Whether two expectations ask the same of an outcome. */
export function sameExpectation(a: Expectation | null, b: Expectation): boolean {
  return a !== null && canonical({ ...a }) === canonical({ ...b });
}

function contentOf({ args, expectation, world }: Case): string {
  return canonical([args, expectation, world]);
}
