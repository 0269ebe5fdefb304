import type { Case } from "./case.ts";
import type { MachineCall } from "./machine.ts";
import type { Json, JsonObject } from "./json.ts";
import type { RewardSpec } from "./reward.ts";

export const CAPABILITY_NAMES = [
  "fetch",
  "kv",
  "clock",
  "random",
  "log",
  "skills",
  "model",
] as const;
export type CapabilityName = (typeof CAPABILITY_NAMES)[number];

/** What a skill may reach. A capability that is not named is not granted. */
export type Capabilities = {
  /** Hosts that fetch may reach, as `host`, `host:port` or `*.domain`. */
  readonly fetch?: readonly string[];
  readonly kv?: boolean;
  readonly clock?: boolean;
  readonly random?: boolean;
  readonly log?: boolean;
  /** Texts of the configured language model, within its budget. */
  readonly model?: boolean;
  /** Names of the skills that it may call. */
  readonly skills?: readonly string[];
  /** Secrets that the host adds to requests; the skill never sees them. */
  readonly secrets?: readonly SecretGrant[];
};

/** A header that the host puts into a skill's requests to one host. */
export type SecretGrant = {
  /** The secret's name: capitals, digits, underscores. */
  readonly name: string;
  /** `host` or `host:port`; plain HTTP gets it with a port only. */
  readonly host: string;
  readonly header: string;
  /** The header's text, with `{}` where the secret stands. */
  readonly as: string;
};

/** The bounds of one run. */
export type Limits = {
  /** Wall clock of the whole run, counted from the start of the skill, in milliseconds. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Largest result, as UTF-8 JSON, in bytes. */
  readonly outputBytes: number;
};

export const DEFAULT_LIMITS: Limits = { timeoutMs: 5_000, memoryMb: 64, outputBytes: 262_144 };

/** hone's own part of SKILL.md, under `metadata`. */
export type Manifest = {
  readonly kind: "function" | "machine" | "prompt";
  readonly capabilities: Capabilities;
  readonly reward: RewardSpec;
  readonly limits: Limits;
  /** `always` sends every release of this skill to a person. */
  readonly review: "critical" | "always";
};

export type Parameter = {
  readonly name: string;
  readonly optional: boolean;
  readonly schema: JsonObject;
};

/** The contract of a skill's function, as its types state it. */
export type Signature = {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly takesCtx: boolean;
  readonly isAsync: boolean;
};

/**
 * What the guest runs: plain JavaScript of the same length as the source, with types and `export`
 * blanked out, so that an offset in one is the same place in the other.
 */
export type Program = {
  readonly text: string;
  readonly entry: string;
  /** Modules are strict; plain scripts are not. */
  readonly strict: boolean;
  /** The skill takes `ctx` as its last argument. */
  readonly takesCtx: boolean;
  /** The place of `ctx` among the parameters, from 0; absent: the function's own length tells. */
  readonly ctxAt?: number;
};

/**
 * What a source is written in: a function, the configuration of a state machine, a prompt's words, or
 * what SKILL.md says of a tool.
 */
export type Language = "ts" | "js" | "machine" | "prompt" | "definition";

/** Whether a source is words, which a language model reads. */
export function isWords({ language }: Pick<Skill, "language">): boolean {
  return language === "prompt" || language === "definition";
}

/** One version of one skill, loaded and validated. */
export type Skill = {
  readonly name: string;
  /** The commit that last changed this skill. */
  readonly version: string;
  readonly description: string;
  readonly manifest: Manifest;
  readonly language: Language;
  readonly source: string;
  readonly program: Program;
  /** Digest of the source's tokens: blanks and comments do not count. */
  readonly digest: string;
  readonly signature: Signature;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** The skills that a machine names, each where it does. */
  readonly calls?: readonly MachineCall[];
  readonly cases: readonly Case[];
  /** Every file of the folder as text, by its path inside the folder. */
  readonly files: Readonly<Record<string, string>>;
};

/** The file of a skill that holds its function, its machine or its prompt. */
export function fileOf(skill: Pick<Skill, "language">): string {
  switch (skill.language) {
    case "ts":
    case "js":
      return `skill.${skill.language}`;
    case "machine":
      return "machine.ts";
    case "prompt":
      return "prompt.md";
    case "definition":
      return "SKILL.md";
  }
}

/**
 * The arguments of a call: an object of the parameters' names, in the order of the signature.
 * Trailing parameters that are absent are left out; one in the middle is passed as null.
 */
export function argumentsOf(signature: Signature, input: JsonObject): Json[] {
  const values = signature.parameters.map(({ name }) =>
    Object.hasOwn(input, name) ? input[name] : undefined,
  );
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return values.map((value) => value ?? null);
}

/** The named input of positional arguments: the inverse of `argumentsOf`. */
export function inputOf(signature: Signature, args: readonly Json[]): JsonObject {
  const members = signature.parameters.flatMap(({ name }, at) => {
    const value = args[at];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(members);
}
