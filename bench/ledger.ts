import { rmSync, mkdtempSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { CHECKPOINTS, keepWalSmall } from "../src/adapters/sqlite/checkpoints.ts";
import { openStore, type SqliteStore } from "../src/adapters/sqlite/sqlite-store.ts";
import { LedgerProcess } from "../test/support/beside.ts";
import { aFetchTrace, aRelease, aRun, aTask } from "../test/support/ledger.ts";

/**
 * The ledger's speed, and its WAL under many small writes with a reader at work:
 * `node bench/ledger.ts [small writes, default 1,000,000]`.
 */
const smallWrites = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(path.join(os.tmpdir(), "hone-bench-"));
const file = path.join(folder, "hone.db");
try {
  using store = openStore(file);
  print(
    "tasks with their run added, two transactions",
    perSecond(20_000, (n) => addRun(store, n)),
  );
  print(
    "runs read by id",
    perSecond(100_000, (n) => store.run(`run-${(n * 7_919) % 20_000}`)),
  );
  print(
    "last 50 rewards read",
    perSecond(5_000, () => store.rewards("parse-price", "v1", 50)),
  );
  print(
    "tasks claimed",
    perSecond(10_000, () => store.claimTask()),
  );
  print(
    "releases written, synced to the disk",
    perSecond(200, (n) => addRelease(store, n)),
  );
  print(
    "integrity check, ms",
    milliseconds(() => store.integrity()),
  );
  await manySmallWrites(store);
} finally {
  rmSync(folder, { recursive: true });
}
print("opening it again, ms", reopening());

/** Prints how large the WAL became over `smallWrites` events while another process reads. */
async function manySmallWrites(store: SqliteStore): Promise<void> {
  await using reader = new LedgerProcess("read", file);
  await reader.line();
  using _timer = keepWalSmall(store, { ...CHECKPOINTS, onTrouble: console.error });
  const event = { at: 1, kind: "run.scored", skill: "parse-price", detail: { score: 1 } };
  const began = performance.now();
  let largest = 0;
  for (let written = 0; written < smallWrites; written += 1) {
    store.addEvent(event);
    if (written % 500 > 0) continue;
    largest = Math.max(largest, statSync(`${file}-wal`).size);
    await setImmediate();
  }
  const seconds = (performance.now() - began) / 1_000;
  print(`${smallWrites} small writes beside a reader, per second`, smallWrites / seconds);
  print("largest WAL meanwhile, MB", largest / 1_048_576);
  print("WAL after a checkpoint, MB", store.checkpoint() / 1_048_576);
}

/** Milliseconds to open a ledger of 20,000 runs, its check included. */
function reopening(): number {
  const again = mkdtempSync(path.join(os.tmpdir(), "hone-bench-"));
  const ledger = path.join(again, "hone.db");
  const store = openStore(ledger);
  for (let n = 0; n < 20_000; n += 1) addRun(store, n);
  store[Symbol.dispose]();
  const ms = milliseconds(() => openStore(ledger)[Symbol.dispose]());
  rmSync(again, { recursive: true });
  return ms;
}

function addRun(store: SqliteStore, n: number): void {
  store.addTask(aTask({ id: `queued-${n}` }));
  store.addRun(
    aRun({
      id: `run-${n}`,
      taskId: `task-${n}`,
      trace: aFetchTrace({ status: 200, body: JSON.stringify({ text: "x".repeat(2_000) }) }),
    }),
  );
}

function addRelease(store: SqliteStore, n: number): void {
  store.addPendingRelease(aRelease({ commit: `commit-${n}` }));
  store.setRelease(`commit-${n}`, "kept", "");
}

/** The best of three rounds. */
function perSecond(times: number, work: (n: number) => unknown): number {
  const share = Math.floor(times / 3);
  const rounds = [0, 1, 2].map((round) => {
    const ms = milliseconds(() => {
      for (let n = round * share; n < (round + 1) * share; n += 1) work(n);
    });
    return (share / ms) * 1_000;
  });
  return Math.max(...rounds);
}

function milliseconds(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function print(what: string, figure: number): void {
  console.log(`${what.padEnd(60)} ${figure.toFixed(figure < 100 ? 2 : 0)}`);
}
