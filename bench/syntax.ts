import { firstFault } from "../src/editor/first-fault.ts";
import { syntaxRepairs } from "../src/editor/syntax-repairs.ts";
import type { SyntaxRepair } from "../src/ports/editor.ts";
import { chanceOf } from "../src/proposers/search/chance.ts";
import { CORPUS } from "./choice/corpus.ts";
import { quantile } from "./support/figures.ts";
import { SLIPS, type Slip } from "./syntax/inject.ts";

/**
 * How often the text that was meant is the first, or among the first ten, of the parsable texts
 * that hone makes of one with a slip in it. The texts are our own, the slips are generated; cases
 * that would tell them apart are not asked. Run: `node bench/syntax.ts [slips of a kind]`.
 */
const times = Number(process.argv[2]) || 20;
const chance = chanceOf(1);
const rows = SLIPS.map(measured);
console.table([...rows, allOf(rows)]);

type Row = {
  readonly kind: string;
  readonly made: number;
  readonly first: number;
  readonly ten: number;
  readonly parsable: number;
  readonly p50: number;
  readonly p95: number;
};

function measured({ kind, make }: Slip): Row {
  const ranks: number[] = [];
  const parsable: boolean[] = [];
  const ms: number[] = [];
  for (let tries = 0; ranks.length < times && tries < times * 20; tries += 1) {
    const { source } = chance.of(CORPUS);
    const slipped = make(source, chance.below);
    if (slipped === null || !isBroken(slipped)) continue;
    const from = performance.now();
    const repairs = repairsOf(slipped);
    ms.push(performance.now() - from);
    ranks.push(repairs.findIndex(({ text }) => plain(text) === plain(source)));
    parsable.push(repairs.length > 0);
  }
  return {
    kind,
    made: ranks.length,
    first: ranks.filter((rank) => rank === 0).length,
    ten: ranks.filter((rank) => rank >= 0 && rank < 10).length,
    parsable: parsable.filter(Boolean).length,
    p50: Math.round(quantile(ms, 0.5)),
    p95: Math.round(quantile(ms, 0.95)),
  };
}

function allOf(kinds: readonly Row[]): Row {
  const sum = (of: (row: Row) => number): number => kinds.reduce((all, row) => all + of(row), 0);
  return {
    kind: "all",
    made: sum(({ made }) => made),
    first: sum(({ first }) => first),
    ten: sum(({ ten }) => ten),
    parsable: sum(({ parsable }) => parsable),
    p50: quantile(
      kinds.map(({ p50 }) => p50),
      0.5,
    ),
    p95: Math.max(...kinds.map(({ p95 }) => p95)),
  };
}

function isBroken(text: string): boolean {
  return firstFault({ text, language: "js", entry: null }) !== null;
}

function repairsOf(text: string): readonly SyntaxRepair[] {
  return syntaxRepairs({ text, language: "js", entry: null }, 40);
}

/** Comments, blanks and semicolons aside. */
function plain(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "").replaceAll(/[\s;]+/g, "");
}
