import { writeSync } from "node:fs";
import { takeLock } from "../../src/adapters/sqlite/lock.ts";
import { retryingStore } from "../../src/adapters/sqlite/retrying-store.ts";
import { openStore, openStoreReadOnly } from "../../src/adapters/sqlite/sqlite-store.ts";
import { HoneError } from "../../src/domain/errors.ts";
import { aCandidateRecord, aGroup, anIncident, aRun, aTask } from "./ledger.ts";

/** A process beside the test that works on a ledger: `node ledger-process.ts <role> <file>`. */
const ROLES: Readonly<Record<string, (file: string) => void>> = { read, write, fill, hold };

/** Candidates in each group that `write` adds. */
const CANDIDATES = 5;

const [, , role = "", file = ""] = process.argv;
ROLES[role]?.(file);

/** Reads without a pause until it is killed. */
function read(file: string): void {
  const store = openStoreReadOnly(file);
  say("ready");
  for (;;) store.events(0, 50);
}

/** Writes tasks, runs and groups without a pause until it is killed; tells each that is done. */
function write(file: string): void {
  const store = openStore(file);
  const from = Number(store.note("written") ?? 0);
  store.joinIncident(anIncident(), "run-1");
  for (let n = from + 1; ; n += 1) {
    store.addTask(aTask({ id: `task-${n}`, input: { text: "x".repeat(3_000) } }));
    store.addRun(aRun({ id: `run-${n}`, taskId: `task-${n}` }));
    const candidates = Array.from({ length: CANDIDATES }, (_, at) =>
      aCandidateRecord(
        { id: `candidate-${n}-${at}`, source: "// source\n".repeat(300) },
        { verdicts: [{ gate: "parse", status: "pass", reason: "parses", durationMs: 1 }] },
      ),
    );
    store.addGroup(aGroup({ id: `group-${n}` }), candidates);
    store.setNote("written", String(n));
    say(String(n));
  }
}

/** Writes events until the disk is full; tells how many, and what was said. */
function fill(file: string): void {
  const said: string[] = [];
  const store = retryingStore(openStore(file), {
    onFailure: (what, error) => said.push(`${what}: ${error.message}`),
    pausesMs: [1, 1],
  });
  let written = 0;
  try {
    for (;;) {
      store.addEvent({ at: 1, kind: "fill", skill: null, detail: { text: "x".repeat(2_000) } });
      written += 1;
    }
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
    const { code, retryable, hint } = error;
    say(
      JSON.stringify({
        written,
        code,
        retryable,
        hint,
        said,
        stillReads: store.events(0, 9).length,
      }),
    );
  }
}

/** Holds the lock until it is killed; tells whether it has it. */
function hold(file: string): void {
  say(takeLock(file) === null ? "refused" : "held");
  setInterval(() => undefined, 1_000);
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
