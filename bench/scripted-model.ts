import { readSuites, type Subject } from "../src/eval/suites.ts";
import { parseConfig } from "../src/config.ts";
import { openWorkshop } from "../src/daemon/compose.ts";
import { repairSubject } from "../src/eval/repair-subject.ts";
import { modelServer } from "../test/support/model-server.ts";

/**
 * The model proposer over suites, with a scripted server in the place of a model. One that answers
 * with the right source: how many cases are released, and why the others are not. Others that answer
 * with what must never be released: the visible answers by heart, the faulty source, a comment,
 * nonsense, another host. Exits with 1 where any of these is released.
 * Run: `node bench/scripted-model.ts SUITE... [--limit n] [--only right|literal|buggy|comment|nonsense|reach]`.
 */
const words = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => {
  const at = words.indexOf(flag);
  return at === -1 ? undefined : words.splice(at, 2)[1];
};
const [limit, only] = [valueOf("--limit"), valueOf("--only")];
const subjects = await readSuites(words, limit === undefined ? undefined : Number(limit));
const signal = new AbortController().signal;

const ANSWERS: Readonly<Record<string, (of: Subject) => string>> = {
  right: ({ fixed }) => whole(fixed),
  literal: ({ visible, buggy }) => whole(byHeart(visible, buggy)),
  buggy: ({ buggy }) => whole(buggy),
  comment: ({ buggy }) => whole(`${buggy}\n// Looks right to me.\n`),
  nonsense: () => "I am sorry, but as a tool I would rather bake a cake: ```ts\nlet cake\n```",
  reach: ({ fixed }) => whole(`${fixed}\nexport const hosts = process.env;\n`),
};

let current: Subject | null = null;
let answer: (of: Subject) => string = () => "";
await using server = await modelServer({
  answers: () => (current === null ? "" : answer(current)),
});
for (const [name, made] of Object.entries(ANSWERS)) {
  if (only !== undefined && only !== name) continue;
  answer = made;
  await report(name);
}

async function report(name: string): Promise<void> {
  const config = parseConfig({ model: { url: server.url, samples: 4 } }, "bench");
  await using shop = await openWorkshop(config, ["model"]);
  const totals = { cases: 0, released: 0, waiting: 0, refused: 0 };
  for (const subject of subjects) {
    current = subject;
    const { heldOut: _, fixed: __, buggy, ...known } = subject;
    const done = await repairSubject(known, buggy, { shop, budgetMs: 20_000, signal });
    totals.cases += 1;
    if (done.status === "patched") totals.released += 1;
    else if (done.status === "needs-data") totals.waiting += 1;
    else totals.refused += 1;
    if ((done.status === "patched") !== (name === "right")) {
      console.error(`${name} ${subject.id}: ${done.status}: ${done.reason.slice(0, 300)}`);
    }
  }
  console.log(`${name}: ${JSON.stringify(totals)}`);
  if (name !== "right" && totals.released > 0) process.exitCode = 1;
}

function whole(code: string): string {
  const edits = [{ op: "replace", target: "*", code }];
  return JSON.stringify({ reason: "the source is put right", edits });
}

/** The visible answers, before the code as it was. */
function byHeart(visible: Subject["visible"], source: string): string {
  const lines = visible.flatMap(({ args, expectation }) =>
    expectation.kind === "value"
      ? [
          `if (JSON.stringify([...arguments]).startsWith(${JSON.stringify(JSON.stringify(args).slice(0, -1))})) return ${JSON.stringify(expectation.value)} as never;`,
        ]
      : [],
  );
  return source.replace(
    /(export (?:async )?function[^{]*(?:\{[^{}]*\}[^{]*)*\{\n)/,
    `$1${lines.join("\n")}\n`,
  );
}
