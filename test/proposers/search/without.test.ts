import assert from "node:assert/strict";
import test from "node:test";
import type { SearchPart } from "../../../src/domain/search-part.ts";
import type { Editor } from "../../../src/ports/editor.ts";
import { createSearchProposer } from "../../../src/proposers/search/search-proposer.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const SOURCE = "export function name(x: string): string {\n  return x;\n}\n";
const CASES = [aCase("odd", ["a"], "something else entirely"), aCase("same", ["b"], "b")];

/** What the editor was asked for by a search that finds nothing. */
async function askedWithout(without: readonly SearchPart[]): Promise<{
  readonly probes: number;
  readonly limits: readonly number[];
  readonly suspicions: number;
}> {
  await using bench = new Bench();
  const { editor, sandbox, hosts, judgeCase } = bench;
  const asked = { probes: 0, limits: [] as number[], suspicions: 0 };
  const watched: Editor = {
    ...editor,
    [Symbol.asyncDispose]: async () => {},
    probe: async (...given) => {
      asked.probes += 1;
      return await editor.probe(...given);
    },
    enumerate: async (...given) => {
      asked.limits.push(given[1].limit);
      asked.suspicions += given[1].suspicions.length;
      return await editor.enumerate(...given);
    },
  };
  const ports = { editor: watched, sandbox, hosts, judgeCase, without };
  const skill = await bench.skill(SOURCE, CASES, {});
  await bench.proposalsOf(createSearchProposer(ports), skill, 4_000);
  return asked;
}

/** How many edits the pairs look at as parents: nobody else asks for that number. */
const PARENTS_LOOKED_AT = 240;

test("all parts take part unless they are switched off", async () => {
  const { probes, limits, suspicions } = await askedWithout([]);

  assert.ok(probes > 0);
  assert.ok(limits.includes(PARENTS_LOOKED_AT));
  assert.ok(suspicions > 0);
});

test("without synthesis, pairs and localisation nobody asks for them", async () => {
  const { probes, limits, suspicions } = await askedWithout(["synthesis", "pairs", "localisation"]);

  assert.equal(probes, 0);
  assert.ok(limits.length > 0 && !limits.includes(PARENTS_LOOKED_AT));
  assert.equal(suspicions, 0);
});

test("without agreement the order is by rank, and nobody is in doubt", async () => {
  await using bench = new Bench();
  const source = "export function larger(a: number, b: number): boolean {\n  return a >= b;\n}\n";
  const skill = await bench.skill(source, [aCase("equal", [1, 1], false)], {});
  const { editor, sandbox, hosts, judgeCase } = bench;
  const ports = { editor, sandbox, hosts, judgeCase, without: ["agreement"] as const };

  const weighing = await bench.proposalsOf(createSearchProposer(bench), skill);
  const { proposals } = await bench.proposalsOf(createSearchProposer(ports), skill);

  assert.ok(weighing.proposals.some(({ rivals = [] }) => rivals.length > 0));
  assert.ok(proposals.length > 1);
  assert.ok(proposals.every(({ confidence, rivals }) => confidence === 1 && rivals?.length === 0));
});
