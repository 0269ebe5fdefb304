import { parseConfig } from "../src/config.ts";
import { openWorkshop } from "../src/daemon/compose.ts";
import { repairSubject } from "../src/eval/repair-subject.ts";
import { score } from "../src/eval/score.ts";
import { readSuites, type Subject } from "../src/eval/suites.ts";
import type { Workshop } from "../src/ports/house.ts";
import { modelServer } from "../test/support/model-server.ts";

/**
 * What a model adds behind the other proposers, and that it takes nothing from them: each case is
 * repaired without it and with it, one right after the other, at the same budget of the search. The
 * model is a scripted server that says the right thing, or nonsense. The search's budget is time of a
 * clock, so that on a busy machine a case may come out otherwise by chance: one that is worse with the
 * model is repeated twice, the other way round, and counts where it is worse each time; `once` says
 * how many were worse the first time. Exits with 1 where one counts.
 * Run: `node bench/behind-search.ts SUITE... [--limit n] [--from n] [--budget-ms n] [--says right|nonsense]`.
 */
const words = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => {
  const at = words.indexOf(flag);
  return at === -1 ? undefined : words.splice(at, 2)[1];
};
const limit = valueOf("--limit");
const from = Number(valueOf("--from") ?? 0);
const budgetMs = Number(valueOf("--budget-ms") ?? 2_000);
const says = valueOf("--says") ?? "right";
const all = await readSuites(words, limit === undefined ? undefined : Number(limit));
const signal = new AbortController().signal;

let answer = "";
await using server = await modelServer({ answers: () => answer });
const config = parseConfig({ model: { url: server.url, samples: 4 } }, "bench");
await using alone = await openWorkshop(config, ["revert", "drift", "search"]);
await using both = await openWorkshop(config, ["revert", "drift", "search", "model"]);
const totals = { cases: 0, alone: 0, both: 0, overfitAlone: 0, overfitBoth: 0, once: 0, worse: 0 };
for (const subject of all.slice(from)) {
  const edits = [{ op: "replace", target: "*", code: subject.fixed }];
  answer = says === "right" ? JSON.stringify({ reason: "put right", edits }) : "I cannot say.";
  const [first, second] = [await result(subject, alone), await result(subject, both)];
  totals.cases += 1;
  totals.alone += Number(first === "correct");
  totals.both += Number(second === "correct");
  totals.overfitAlone += Number(first === "overfit");
  totals.overfitBoth += Number(second === "overfit");
  if (first === second) continue;
  console.error(`${subject.id}: ${first} alone, ${second} with the model`);
  if (!isWorse(first, second)) continue;
  totals.once += 1;
  let isEachTime = true;
  for (let time = 0; time < 2 && isEachTime; time += 1) {
    const again = await result(subject, both);
    isEachTime = isWorse(await result(subject, alone), again);
  }
  totals.worse += Number(isEachTime);
}
const { length: requests } = server.asked;
console.log(`${says}, ${budgetMs} ms for the search: ${JSON.stringify({ ...totals, requests })}`);
if (totals.worse > 0) process.exitCode = 1;

function isWorse(without: string, withModel: string): boolean {
  return without !== withModel && (without === "correct" || withModel === "overfit");
}

async function result(subject: Subject, shop: Workshop): Promise<string> {
  const { heldOut: _, fixed: __, buggy, ...known } = subject;
  const repaired = await repairSubject(known, buggy, { shop, budgetMs, signal });
  const ports = { ...shop, unrecorded: "closed" as const };
  return (await score(subject, repaired, ports, signal)).result;
}
