import assert from "node:assert/strict";
import * as fs from "node:fs";
import path from "node:path";
import { suite, test, type TestContext } from "node:test";
import { LogFile } from "../../../src/daemon/life/log-file.ts";
import { openLog } from "../../../src/daemon/life/log.ts";
import { configOf } from "../../support/workspace.ts";
import { temporaryFolder } from "../../support/ledger.ts";

function aLog(t: TestContext, limits: { maxBytes?: number; files?: number } = {}) {
  const file = path.join(temporaryFolder(t), "hone.log");
  let now = 1_000_000;
  const log = new LogFile({ file, maxBytes: 100, files: 2, now: () => now, ...limits });
  t.after(() => log[Symbol.dispose]());
  return { file, log, pass: (ms: number) => void (now += ms) };
}

function textOf(file: string): string {
  return fs.readFileSync(file, "utf8");
}

suite("the log's file", () => {
  test("has a line as soon as it was written, and is nobody else's to read", (t) => {
    const { file, log } = aLog(t);

    log.write("one\n");

    assert.equal(textOf(file), "one\n");
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  test("is begun anew before it grows too large; so many older ones are kept", (t) => {
    const { file, log } = aLog(t);

    for (let at = 0; at < 10; at += 1) log.write(`${at} ${"x".repeat(57)}\n`);

    const names = [file, `${file}.1`, `${file}.2`];
    assert.deepEqual(
      names.map((each) => textOf(each)[0]),
      ["9", "8", "7"],
    );
    assert.ok(!fs.existsSync(`${file}.3`));
    assert.ok(names.every((each) => fs.statSync(each).size <= 100));
  });

  test("keeps none where none is wanted", (t) => {
    const { file, log } = aLog(t, { files: 0 });

    for (const line of ["a", "b"]) log.write(`${line.repeat(80)}\n`);

    assert.equal(textOf(file)[0], "b");
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ["hone.log"]);
  });

  test("goes on in the file that is there, and ends a line that a death has torn", (t) => {
    const { file, log } = aLog(t);
    fs.writeFileSync(file, "half a li");

    log.write("whole\n");

    assert.equal(textOf(file), "half a li\nwhole\n");
  });

  test("is made again when somebody moves or removes it", (t) => {
    const { file, log, pass } = aLog(t);
    log.write("one\n");

    fs.renameSync(file, `${file}.moved`);
    pass(1_000);
    log.write("two\n");
    fs.rmSync(file);
    pass(1_000);
    log.write("three\n");

    assert.equal(textOf(`${file}.moved`), "one\n");
    assert.equal(textOf(file), "three\n");
  });

  test("that a disk does not take loses lines, not memory, and says so itself later (B79)", (t) => {
    const { file, log, pass } = aLog(t, { maxBytes: 10_000 });
    fs.symlinkSync("/dev/full", file);
    const before = process.memoryUsage().rss;

    for (let at = 0; at < 200_000; at += 1) log.write(`${at} ${"x".repeat(500)}\n`);
    const { lost, trouble } = log.state;
    const grown = process.memoryUsage().rss - before;
    fs.rmSync(file);
    pass(1_000);
    log.write("there is room\n");

    assert.equal(lost, 200_000);
    assert.match(trouble ?? "", /ENOSPC/);
    assert.ok(grown < 50_000_000, `${grown} bytes more`);
    const [gap = "", line] = textOf(file).split("\n");
    assert.partialDeepStrictEqual(JSON.parse(gap), { level: 40, lost: 200_000 });
    assert.equal(line, "there is room");
    assert.equal(log.state.trouble, null);
  });

  test("that cannot be opened loses lines as well, and is opened when it can be", (t) => {
    const { file, log } = aLog(t);
    fs.mkdirSync(file);

    log.write("one\n");
    fs.rmdirSync(file);
    log.write("two\n");

    assert.equal(log.state.lost, 1);
    assert.match(textOf(file), /"lost":1.*\ntwo\n$/s);
  });
});

test("the log's settings may change while it is written (T11)", (t) => {
  const dir = temporaryFolder(t);
  const config = configOf({ logLevel: "info" });
  using daemon = openLog(dir, config);

  daemon.log.debug("not told");
  daemon.follow({ ...config, logLevel: "debug" });
  daemon.log.debug("told");

  assert.match(textOf(daemon.state().file), /"msg":"told"/);
  assert.doesNotMatch(textOf(daemon.state().file), /not told/);
  assert.deepEqual(daemon.troubles(), []);
});
