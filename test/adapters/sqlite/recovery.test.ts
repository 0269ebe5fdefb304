import assert from "node:assert/strict";
import {
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { migrate } from "../../../src/adapters/sqlite/migrations.ts";
import { openStore, openStoreReadOnly } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { aRun, temporaryFolder } from "../../support/ledger.ts";

const now = (): number => Date.UTC(2030, 0, 2, 3, 4, 5);

test("a missing ledger is made, folder and all, and says that it is new", (t) => {
  const file = path.join(temporaryFolder(t), "data", "run", "hone.db");

  using store = openStore(file);

  assert.equal(store.isNew, true);
  assert.equal(store.recovered, null);
  assert.equal(store.integrity(), "ok");
});

test("a ledger that was closed is found as it was", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  openStore(file)[Symbol.dispose]();

  using store = openStore(file);

  assert.equal(store.isNew, false);
  assert.equal(store.recovered, null);
});

test("a file that is no database is moved aside, and an empty ledger takes its place", (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, "hone.db");
  writeFileSync(file, "this was never a database".repeat(100));

  using store = openStore(file, { now });

  const aside = `${file}.corrupt-2030-01-02T03-04-05-000Z`;
  assert.match(store.recovered ?? "", /not a database/);
  assert.ok(store.recovered?.includes(aside));
  assert.equal(store.isNew, true);
  assert.equal(store.addRun(aRun()), true);
  assert.match(readFileSync(aside, "utf8"), /^this was never/);
});

for (const [what, damage] of [
  ["cut short", (file: string) => truncateSync(file, 3 * 4_096 + 100)],
  ["overwritten in the middle", (file: string) => overwrite(file, 4_096, 6 * 4_096)],
  ["overwritten in its header", (file: string) => overwrite(file, 0, 64)],
] as const) {
  test(`a ledger that was ${what} is moved aside`, (t) => {
    const file = path.join(temporaryFolder(t), "hone.db");
    fillAndClose(file);
    damage(file);

    using store = openStore(file, { now });

    assert.match(store.recovered ?? "", /^The ledger was damaged \([^\n]{5,200}\)\. It is now .+$/);
    assert.deepEqual(store.events(0, 9), []);
    assert.equal(store.integrity(), "ok");
  });
}

test("a second damaged ledger does not overwrite the first", (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, "hone.db");
  for (const text of ["first", "second"]) {
    writeFileSync(file, text.repeat(1_000));
    openStore(file, { now })[Symbol.dispose]();
  }

  const aside = readdirSync(folder).filter((name) => name.includes("corrupt"));

  assert.deepEqual(aside.length, 2);
});

test("a ledger that was deleted beside its log starts empty", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  const first = openStore(file);
  first.addRun(aRun());
  t.after(() => first[Symbol.dispose]());
  rmSync(file);

  using store = openStore(file);

  assert.equal(store.isNew, true);
  assert.equal(store.run("run-1"), null);
  assert.equal(store.integrity(), "ok");
});

test("a place where no file can be is a failure of the world, not a damaged ledger", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  mkdirSync(file);

  assert.throws(() => openStore(file), { code: "store-failed" });

  assert.ok(statSync(file).isDirectory());
});

test("the ledger of a newer hone is refused and left alone", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  openStore(file)[Symbol.dispose]();
  onFile(file, (db) => db.pragma("user_version = 99"));

  assert.throws(() => openStore(file), { code: "store-failed", message: /version 99/ });
  assert.throws(() => openStoreReadOnly(file), { code: "store-failed", message: /version 99/ });

  onFile(file, (db) => assert.equal(db.pragma("user_version", { simple: true }), 99));
});

test("a database of another program is refused and left alone", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  onFile(file, (db) => db.exec("CREATE TABLE recipes (name TEXT)"));

  assert.throws(() => openStore(file), { code: "store-failed", message: /another program/ });

  onFile(file, (db) =>
    assert.deepEqual(db.prepare("SELECT name FROM sqlite_schema").pluck().all(), ["recipes"]),
  );
});

test("migrations run once each, in order, and one that fails changes nothing", (t) => {
  const db = new Database(path.join(temporaryFolder(t), "hone.db"));
  t.after(() => db.close());
  const first = "CREATE TABLE a (x)";
  const second = "ALTER TABLE a ADD COLUMN y";
  const version = (): unknown => db.pragma("user_version", { simple: true });

  migrate(db, [first]);
  assert.throws(() => migrate(db, [first, second, "CREATE TABLE b (x); nonsense"]));
  assert.equal(version(), 2);
  migrate(db, [first, second]);

  assert.equal(version(), 2);
  assert.deepEqual(db.prepare("SELECT name FROM sqlite_schema").pluck().all(), ["a"]);
});

test("a reader sees what the writer wrote and can write nothing", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  using writer = openStore(file);
  using reader = openStoreReadOnly(file);
  writer.addRun(aRun());

  assert.equal(reader.run("run-1")?.id, "run-1");
  assert.throws(() => reader.setNote("a", "b"), { code: "store-failed" });
  assert.equal(writer.note("a"), null);
});

test("a ledger can be read when no writer is there", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  fillAndClose(file);

  using reader = openStoreReadOnly(file);

  assert.equal(reader.events(0, 9_999).length, 200);
  assert.throws(() => openStoreReadOnly(`${file}-nowhere`), { code: "not-found" });
});

function fillAndClose(file: string): void {
  using store = openStore(file);
  for (let n = 0; n < 200; n += 1) {
    store.addEvent({ at: n, kind: "fill", skill: null, detail: { text: "x".repeat(500) } });
  }
}

function overwrite(file: string, from: number, bytes: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(bytes, 0xaa), 0, bytes, from);
  closeSync(descriptor);
}

function onFile(file: string, work: (db: Database.Database) => unknown): void {
  const db = new Database(file);
  work(db);
  db.close();
}
