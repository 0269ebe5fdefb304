import { parse } from "yaml";
import { z } from "zod";
import { nearest } from "../domain/nearest.ts";
import { DEFAULT_REWARD } from "../domain/reward.ts";
import { DEFAULT_LIMITS, type Manifest } from "../domain/skill.ts";
import type { JsonObject } from "../domain/json.ts";

export type FrontMatter = {
  readonly name: string;
  readonly description: string;
  readonly manifest: Manifest;
  /** What each parameter wants, by its name. */
  readonly parameters: Readonly<Record<string, string>>;
};

export type Read<T> = { readonly value: T | null; readonly problems: readonly string[] };

const host = z.string().regex(/^(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/);

/** Headers that HTTP itself uses: a secret in one of them would reach nobody, or anybody. */
const FRAMING =
  /^(?:host|connection|content-\w+|transfer-encoding|upgrade|te|trailer|expect|cookie2?)$/i;

const secret = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, { error: "capitals, digits and _" }),
  host: host.refine((entry) => !entry.startsWith("*"), { error: "one host, no wildcard" }),
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .refine((header) => !FRAMING.test(header), { error: "a header that carries a secret" }),
  as: z
    .string()
    .regex(/^[\x20-\x7e]*$/)
    .refine((text) => text.split("{}").length === 2, { error: "has {} once, for the secret" })
    .default("{}"),
});

const capabilities = z.strictObject({
  fetch: z.array(host).optional(),
  kv: z.boolean().optional(),
  clock: z.boolean().optional(),
  random: z.boolean().optional(),
  log: z.boolean().optional(),
  model: z.boolean().optional(),
  skills: z.array(z.string()).optional(),
  secrets: z.array(secret).optional(),
});

const reward = z.strictObject({
  threshold: z.number().min(0).max(1).default(DEFAULT_REWARD.threshold),
  parts: z
    .array(
      z.strictObject({
        use: z.string().regex(/^[a-z0-9-]{1,64}$/),
        weight: z.number().positive().default(1),
        with: z
          .custom<JsonObject>((value) => typeof value === "object" && value !== null)
          .default({}),
      }),
    )
    .min(1)
    .default([...DEFAULT_REWARD.parts]),
});

const limits = z.strictObject({
  timeoutMs: z.int().min(10).max(600_000).default(DEFAULT_LIMITS.timeoutMs),
  memoryMb: z.int().min(8).max(512).default(DEFAULT_LIMITS.memoryMb),
  outputBytes: z.int().min(64).max(4_194_304).default(DEFAULT_LIMITS.outputBytes),
});

const metadata = z.looseObject({
  kind: z
    .enum(["function", "machine", "prompt"], {
      error: "a skill is of kind `function`, `machine` or `prompt`",
    })
    .default("function"),
  capabilities: capabilities.default({}),
  reward: reward.prefault({}),
  limits: limits.prefault({}),
  /** What each parameter wants, as agents are told it. */
  parameters: z.record(z.string(), z.string().max(1_024)).default({}),
  review: z.enum(["critical", "always"]).default("critical"),
});

/** The header of SKILL.md (Agent Skills specification), with hone's keys under `metadata`. */
const header = z.looseObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64),
  description: z.string().min(1).max(1_024),
  metadata: metadata.prefault({}),
});

/** Reads the YAML front matter of SKILL.md and names every problem in it. */
export function readFrontMatter(text: string, folder: string): Read<FrontMatter> {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?(?:\n|$)/.exec(text);
  if (match?.[1] === undefined) {
    return {
      value: null,
      problems: ["SKILL.md: must begin with YAML front matter between --- lines"],
    };
  }
  const yaml = parsedYaml(match[1]);
  if (typeof yaml === "string") return { value: null, problems: [yaml] };
  const parsed = header.safeParse(yaml.value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `SKILL.md: ${path.join(".") || "front matter"}: ${message}`,
    );
    return { value: null, problems };
  }
  const { name, description, metadata: own } = parsed.data;
  const problems = [
    ...(name === folder ? [] : [`SKILL.md: name is "${name}", the folder is "${folder}"`]),
    ...misspelt(own),
    ...secretProblems(own.capabilities),
  ];
  const { kind, review } = own;
  const manifest = {
    kind,
    review,
    limits: own.limits,
    reward: own.reward,
    // A prompt is a question to the model, and asks for nothing else.
    capabilities: kind === "prompt" ? { model: true } : granted(own.capabilities),
  };
  return { value: { name, description, manifest, parameters: own.parameters }, problems };
}

/** Foreign keys are welcome under `metadata`; one that is nearly hone's own would be lost in silence. */
function misspelt(own: z.infer<typeof metadata>): readonly string[] {
  const known = Object.keys(metadata.shape);
  return Object.keys(own).flatMap((key) => {
    const meant = known.includes(key) ? null : nearest(key, known);
    return meant === null ? [] : [`SKILL.md: metadata.${key}: did you mean ${meant}?`];
  });
}

/** A secret goes to a host that the skill may speak to, named in the same words. */
function secretProblems({ fetch = [], secrets = [] }: z.infer<typeof capabilities>): string[] {
  return secrets
    .filter(({ host }) => !fetch.includes(host))
    .map(
      ({ name, host }) =>
        `SKILL.md: the secret ${name} is for ${host}, which capabilities.fetch does not name`,
    );
}

function parsedYaml(text: string): { readonly value: unknown } | string {
  try {
    const value: unknown = parse(text);
    // Options go to rewards as JSON, which no value has that holds itself.
    JSON.stringify(value);
    return { value };
  } catch (error) {
    return `SKILL.md: front matter is no YAML: ${error instanceof Error ? error.message.split("\n")[0] : ""}`;
  }
}

/** Without the members that are absent, as exact optional properties want it. */
function granted(read: z.infer<typeof capabilities>): Manifest["capabilities"] {
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
