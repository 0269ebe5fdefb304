/**
 * How well each kind of likely relation tells wrong programs that satisfy a few cases from right
 * ones: on generated questions, how often each breaks what the cases made likely.
 * `node bench/choice/relations.ts [part/parts]`
 */
import { createEditor } from "../../src/adapters/morph/process-editor.ts";
import { DEFAULT_LIMITS, type Program } from "../../src/domain/skill.ts";
import { sameJson, type Json } from "../../src/domain/json.ts";
import { generatedQuestions } from "../../src/proposers/search/inputs.ts";
import { brokenBy, likelyRelations } from "../../src/proposers/search/relations.ts";
import { CORPUS } from "./corpus.ts";
import { drawOf } from "./draw.ts";
import { scriptSandbox } from "./script-sandbox.ts";

/** Programs of each function, and questions. */
const MUTANTS = 250;
const QUESTIONS = 48;
const SHOWN = [2, 3, 4, 6];

const [part = "0/1"] = process.argv.slice(2);
const [own = 0, parts = 1] = part.split("/").map(Number);
const signal = new AbortController().signal;
const editor = createEditor();
const sandbox = scriptSandbox();

type Count = { right: number; wrong: number; rightOf: number; wrongOf: number };
const counts = new Map<string, Count>();
const count = (kind: string): Count => {
  const found = counts.get(kind) ?? { right: 0, wrong: 0, rightOf: 0, wrongOf: 0 };
  counts.set(kind, found);
  return found;
};

for (const [index, sound] of CORPUS.entries()) {
  if (index % parts !== own || sound.world !== undefined) continue;
  const draw = drawOf(9_000 + index);
  const source = { text: sound.source, language: "js" as const, entry: null };
  const inspected = await editor.inspect(source, signal);
  if (inspected.status === "unsound") throw new Error("a function of the corpus is unsound");
  const all = await editor.enumerate(source, { suspicions: [], offset: 0, limit: 3_000 }, signal);
  const mutants = Array.from({ length: MUTANTS }, () => draw.of(all).program);
  for (const shown of SHOWN) {
    const inputs = Array.from({ length: shown }, () => sound.args(draw));
    const values = await answersOf(inspected.program, inputs);
    const known = inputs.flatMap((args, at) => {
      const value = values[at];
      return value === undefined ? [] : [{ args, value }];
    });
    if (known.length < shown) continue;
    const cases = known.map(({ args, value }, at) => ({
      name: `${at}`,
      args,
      expectation: { kind: "value" as const, value },
      world: {},
    }));
    const questions = generatedQuestions({ cases, source: sound.source, seed: 1 }, QUESTIONS);
    const asked = questions.map(({ args }) => args);
    const relations = likelyRelations(known);
    const right = await answersOf(inspected.program, asked);
    let wrongs = 0;
    const note = (said: readonly (Json | undefined)[], isRight: boolean): void => {
      const broken = new Set(
        said.flatMap((value, at) =>
          value === undefined
            ? []
            : brokenBy(relations, { args: asked[at] ?? [], value }).map(kindOf),
        ),
      );
      for (const kind of new Set(relations.map(kindOf))) {
        const found = count(kind);
        if (isRight) {
          found.rightOf += 1;
          if (broken.has(kind)) found.right += 1;
        } else {
          found.wrongOf += 1;
          if (broken.has(kind)) found.wrong += 1;
        }
      }
    };
    note(right, true);
    for (const program of mutants) {
      if (wrongs >= 12) break;
      const said = await answersOf(program, inputs);
      if (!said.every((value, at) => same(value, values[at]))) continue;
      const answers = await answersOf(program, asked);
      if (answers.every((value, at) => same(value, right[at]))) continue;
      wrongs += 1;
      note(answers, false);
    }
  }
}
await editor[Symbol.asyncDispose]();

const rows = [...counts].map(([kind, { right, wrong, rightOf, wrongOf }]) => {
  const [falsely, rightly] = [(right + 0.5) / (rightOf + 1), (wrong + 0.5) / (wrongOf + 1)];
  return { kind, rightOf, falsely, rightly, weight: Math.log(rightly / falsely) };
});
for (const { kind, rightOf, falsely, rightly, weight } of rows.toSorted(
  (a, b) => b.weight - a.weight,
)) {
  process.stdout.write(
    `${weight.toFixed(2).padStart(6)}  right ${(100 * falsely).toFixed(1).padStart(5)} %  wrong ${(100 * rightly).toFixed(1).padStart(5)} %  of ${String(rightOf).padStart(4)}  ${kind}\n`,
  );
}

function kindOf({ says, support }: { readonly says: string; readonly support: number }): string {
  const words = says
    .replace(/^result(?:\.\S+|\[\]\S*)?/, (path) => (path === "result" ? "result" : "member"))
    .replace(/argument \d+(\S*)/, (_, rest: string) =>
      rest === "" ? "argument" : "argument member",
    );
  return `${words} (${support >= 5 ? "5+" : support >= 3 ? "3-4" : support})`;
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameJson(a, b);
}

async function answersOf(
  program: Program,
  inputs: readonly (readonly Json[])[],
): Promise<readonly (Json | undefined)[]> {
  const calls = inputs.map((args) => ({ args }) as never);
  const execution = { program, calls, limits: DEFAULT_LIMITS, fresh: false };
  const results = await sandbox.execute(execution, signal);
  return results.map(({ trace: { outcome } }) =>
    outcome.status === "returned" ? outcome.value : undefined,
  );
}
