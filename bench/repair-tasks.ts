import { readFileSync } from "node:fs";
import { parseConfig } from "../src/config.ts";
import type { Case } from "../src/domain/case.ts";
import { openWorkshop } from "../src/daemon/compose.ts";
import { firstFailing, skillOf } from "../src/eval/subject-skill.ts";
import { readSuites } from "../src/eval/suites.ts";
import { examineInBrief } from "../src/examine/in-brief.ts";
import { evidenceOf } from "../src/proposers/model/evidence.ts";
import { render } from "../src/proposers/model/render.ts";
import { reflect } from "../src/stages/3-reflect.ts";

/**
 * Cases for the prompt skill `hone-repair`, one for each case of a suite: what a model is shown of the
 * fault, word for word as in a repair, and the source with the visible tests that a patch has to pass.
 * Held-out tests are in neither. Run: `node bench/repair-tasks.ts SUITE... [--limit n] > cases.jsonl`.
 */
const words = process.argv.slice(2);
const at = words.indexOf("--limit");
const limit = at === -1 ? undefined : Number(words.splice(at, 2)[1]);
const template = readFileSync(
  new URL("../src/proposers/model/prompts/repair.md", import.meta.url),
  "utf8",
);
const signal = new AbortController().signal;
await using shop = await openWorkshop(parseConfig({}, "bench"), []);
for (const subject of await readSuites(words, limit)) {
  const { heldOut: _, fixed: __, buggy, ...known } = subject;
  const { id, entry, language, visible } = known;
  const skill = await skillOf(known, buggy, shop.editor, signal);
  if (!("source" in skill) || visible.some(isOther)) {
    continue;
  }
  const ports = { ...shop, unrecorded: "closed" } as const;
  const { judged } = await examineInBrief({ skill, cases: skill.cases }, ports, signal);
  const failing = firstFailing(judged);
  if (failing === null) continue;
  const reflection = await reflect({ incidentId: id, skill, failing, tried: [] }, ports, signal);
  if (reflection.status !== "diagnosed") continue;
  const request = { skill, diagnosis: reflection.diagnosis, seed: 1, budgetMs: 0 };
  const task = render(template, { ...evidenceOf(request, [], null), approach: "" });
  const cases = visible.map(({ args, expectation }) => {
    return { args, expect: expectation.kind === "value" ? expectation.value : null };
  });
  const expect = { language, entry, source: buggy, cases };
  console.log(JSON.stringify({ name: id, input: { task }, expect }));
}

/** What a judge of repairs does not do: a wanted error, or a world around the tool. */
function isOther({ expectation, world }: Case): boolean {
  return expectation.kind !== "value" || Object.keys(world).length > 0;
}
