import { parseConfig } from "../src/config.ts";
import { openWorkshop } from "../src/daemon/compose.ts";
import { readSuites } from "../src/eval/suites.ts";
import { createDeleteOnly } from "../test/doubles/delete-only.ts";
import { literalAnswers } from "../test/doubles/literal-answers.ts";
import { putToGates } from "../test/doubles/put-to-gates.ts";

/**
 * Two proposers that repair nothing, on the faulty sources of suites and through the real gates: one
 * gives the visible answers by heart, one can only take away. Nothing of theirs may be released, so
 * that `correct` and `released` have to be 0; exits with 1 where they are not.
 * Run: `node bench/doubles.ts SUITE... [--limit n] [--only literal-answers|delete-only] [--show]`.
 */
const words = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => {
  const at = words.indexOf(flag);
  return at === -1 ? undefined : words.splice(at, 2)[1];
};
const [limit, only] = [valueOf("--limit"), valueOf("--only")];
const isShown = words.includes("--show");
const suites = words.filter((word) => !word.startsWith("--"));
const subjects = await readSuites(suites, limit === undefined ? undefined : Number(limit));
const signal = new AbortController().signal;
await using shop = await openWorkshop(parseConfig({}, "doubles"), []);
const doubles = { "literal-answers": literalAnswers, "delete-only": createDeleteOnly(shop) };
let isWrong = false;
for (const [name, proposer] of Object.entries(doubles)) {
  if (only !== undefined && only !== name) continue;
  const totals = { cases: 0, offered: 0, released: 0, correct: 0, waiting: 0 };
  for (const subject of subjects) {
    const { offered, released, waiting } = await putToGates(subject, proposer, { shop, signal });
    totals.cases += 1;
    totals.offered += offered;
    totals.released += released.length;
    totals.correct += released.filter(({ isCorrect }) => isCorrect).length;
    totals.waiting += waiting.length;
    if (isShown || released.length > 0) {
      const told = released.map(({ operator }) => operator).join(", ");
      console.error(`${name} ${subject.id}: ${offered} offered, released: ${told || "none"}`);
    }
  }
  isWrong ||= totals.released > 0;
  console.log(`${name}: ${JSON.stringify(totals)}`);
}
if (isWrong) process.exitCode = 1;
