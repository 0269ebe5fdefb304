import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import type { Edit } from "../../src/domain/candidate.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Program } from "../../src/domain/skill.ts";
import { enumerate } from "../../src/editor/enumerate.ts";
import { inspect } from "../../src/editor/inspect.ts";
import { variants } from "../../src/editor/variants.ts";
import type { Mutation, SourceText, Variants } from "../../src/ports/editor.ts";

type Entry = (...args: readonly Json[]) => unknown;
type Factory = (
  variant: number,
  fuel: number,
  spent: () => never,
) => readonly [Entry, () => number];

const FUEL = 3_000;

/** What a variant gives for some arguments, in a world of its own. */
function outcomeIn(
  { program }: Variants,
  seat: readonly [number, number],
  args: readonly Json[],
): string {
  const context = createContext({});
  const factories = runInContext(program.text, context) as readonly Factory[];
  const spent = (): never => {
    throw new RangeError("spent");
  };
  let left = (): number => 0;
  const outcome = told(() => {
    const [entry, fuel] = (factories[seat[0]] as Factory)(seat[1], FUEL, spent);
    left = fuel;
    return entry(...args);
  });
  return left() < 0 ? "spent" : outcome;
}

/** What the changed program alone gives, with the same fuel. */
function outcomeAlone(program: Program, args: readonly Json[]): string {
  const source: SourceText = { text: program.text, language: "js", entry: program.entry };
  const made = variants(source, []);
  assert.ok(made);
  return outcomeIn(
    { ...made, program: { ...made.program, text: made.program.text } },
    [0, 0],
    args,
  );
}

function told(run: () => unknown): string {
  try {
    return `returned ${JSON.stringify(run())}`;
  } catch (thrown) {
    // The engine quotes the text of an expression in its own messages; a switch changes that.
    const { name, message } = thrown as Error;
    return `threw ${name === "TypeError" ? name : message}`;
  }
}

function checkAll(source: SourceText, inputs: readonly (readonly Json[])[], most: number): number {
  const mutations = enumerate(source, { suspicions: [], offset: 0, limit: most });
  const made = variants(
    source,
    mutations.map(({ edits }) => edits),
  );
  assert.ok(made);
  for (const [at, mutation] of mutations.entries()) {
    const seat: readonly [number, number] | null | undefined = made.seats[at];
    if (seat === null || seat === undefined) {
      assert.throws(() => runInContext(`(function(){${strictly(mutation)}\n})`, createContext({})));
      continue;
    }
    for (const args of inputs) {
      const alone = outcomeAlone(strict(mutation), args);
      assert.equal(outcomeIn(made, seat, args), alone, JSON.stringify(mutation.edits as Edit[]));
    }
  }
  return made.seats.filter((seat) => seat !== null && seat[0] === 0).length / mutations.length;
}

function strictly({ program }: Mutation): string {
  return program.strict ? `"use strict";${program.text}` : program.text;
}

function strict({ program }: Mutation): Program {
  return { ...program, text: strictly({ program } as Mutation) };
}

const SKILLS = new URL("../../skills/", import.meta.url);

for (const name of readdirSync(SKILLS)) {
  test(`each variant of ${name} does what its change alone does`, () => {
    const text = readFileSync(new URL(`${name}/skill.ts`, SKILLS), "utf8");
    const source: SourceText = { text, language: "ts", entry: null };
    assert.equal(inspect(source).status, "sound");
    const lines = readFileSync(new URL(`${name}/cases.jsonl`, SKILLS), "utf8")
      .trim()
      .split("\n");
    const inputs = lines.slice(0, 3).map((line) => (JSON.parse(line) as { args: Json[] }).args);
    const share = checkAll(source, inputs, 120);
    assert.ok(share > 0.95, `only ${share} share one program`);
  });
}
