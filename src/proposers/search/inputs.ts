import type { Case, CaseWorld, FetchRule } from "../../domain/case.ts";
import { canonical, type Json } from "../../domain/json.ts";
import { unfitJson } from "../../domain/json-text.ts";
import { boundaryOf } from "./boundaries.ts";
import { chanceOf, type Chance } from "./chance.ts";
import { usualArguments } from "./domain-of-cases.ts";
import { poolOf, varied, type Pool } from "./vary.ts";

/** Something to ask a program, of which nobody knows the right answer. */
export type Question = Pick<Case, "args" | "world"> & {
  /** Name of the visible case that it was made from. */
  readonly like: string;
};

/** Largest generated input, as canonical text: what is far larger than any case tells no more. */
const LARGEST = 4_000;

/** Variations tried for each input wanted. */
const PATIENCE = 6;

/** One in so many inputs that are unlike those of all cases is kept: few tell what is right there. */
const UNUSUAL = 4;

/**
 * Inputs like those of the visible cases, none of them a visible case, none twice; nothing is
 * expected of them. Each comes of one case by one to three changes: of a value in place, by a value
 * that occurs elsewhere in the cases or in the source, by the argument of another case, or of what
 * the world answers; some are at an edge. Kinds stay what they are, and most of the inputs keep what
 * the inputs of all cases keep. The same seed gives the same inputs.
 */
export function generatedQuestions(
  {
    cases,
    source,
    seed,
  }: { readonly cases: readonly Case[]; readonly source: string; readonly seed: number },
  amount: number,
): readonly Question[] {
  if (cases.length === 0) return [];
  const chance = chanceOf(seed);
  const pool = poolOf(
    cases.flatMap(({ args }) => args),
    literalsOf(source),
  );
  const seen = new Set(cases.map(keyOf));
  const isUsual = usualArguments(cases);
  const made: Question[] = [];
  const unusual: Question[] = [];
  for (let round = 0; round < amount * PATIENCE && made.length < amount; round += 1) {
    const base = cases[round % cases.length] as Case;
    const next = variationOf(base, { cases, pool, chance });
    const key = keyOf(next);
    if (key.length > LARGEST || seen.has(key)) continue;
    seen.add(key);
    const question = { ...next, like: base.name };
    if (isUsual(next.args) || chance.below(UNUSUAL) === 0) made.push(question);
    else unusual.push(question);
  }
  const missing = Math.max(0, Math.ceil(amount / 2) - made.length);
  return [...made, ...unusual.slice(0, missing)];
}

type Means = { readonly cases: readonly Case[]; readonly pool: Pool; readonly chance: Chance };

type Asked = Pick<Case, "args" | "world">;

function variationOf({ args, world }: Asked, means: Means): Asked {
  let next: Asked = { args, world };
  for (let left = 1 + means.chance.below(3); left > 0; left -= 1) next = variedOnce(next, means);
  return next;
}

function variedOnce(of: Asked, { cases, pool, chance }: Means): Asked {
  const { args, world } = of;
  const rules = world.fetch ?? [];
  if (args.length === 0 || (rules.length > 0 && chance.below(2) === 0)) {
    return { ...of, world: variedWorld(world, pool, chance) };
  }
  const at = chance.below(args.length);
  const other = chance.of(cases).args[at];
  if (other !== undefined && chance.below(4) === 0) return { ...of, args: args.with(at, other) };
  const change = chance.below(3) === 0 ? boundaryOf : varied;
  return { ...of, args: args.with(at, change(args[at] as Json, pool, chance)) };
}

function variedWorld(world: CaseWorld, pool: Pool, chance: Chance): CaseWorld {
  const { fetch = [], kv } = world;
  if (fetch.length > 0) {
    const at = chance.below(fetch.length);
    return { ...world, fetch: fetch.with(at, variedRule(fetch[at] as FetchRule, pool, chance)) };
  }
  return kv === undefined ? world : { ...world, kv: varied(kv, pool, chance) as typeof kv };
}

/** Statuses that an API answers now and then. */
const STATUSES = [200, 204, 404, 429, 500, 503];

function variedRule(rule: FetchRule, pool: Pool, chance: Chance): FetchRule {
  if (rule.body === undefined || chance.below(5) === 0) {
    return { ...rule, status: chance.of(STATUSES) };
  }
  const { body } = rule;
  if (typeof body === "string" && unfitJson(body) !== null) return rule;
  if (typeof body !== "string") return { ...rule, body: varied(body, pool, chance) };
  try {
    const parsed = JSON.parse(body) as Json;
    return {
      ...rule,
      body: JSON.stringify(varied(parsed, poolOf([parsed, ...pool.strings]), chance)),
    };
  } catch {
    return { ...rule, body: varied(body, pool, chance) };
  }
}

function keyOf({ args, world }: Asked): string {
  return canonical([args, world.fetch ?? [], world.kv ?? null]);
}

/** Numbers and short strings that stand in a source. A rough reading will do: it makes inputs. */
export function literalsOf(source: string): readonly Json[] {
  const numbers = [...source.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g)].map(([text]) =>
    Number(text),
  );
  const strings = [...source.matchAll(/"([^"\\\n]{1,30})"|'([^'\\\n]{1,30})'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  return [...new Set<Json>([...numbers, ...strings])];
}
