import assert from "node:assert/strict";
import * as fs from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import { LogFile } from "../../../src/daemon/life/log-file.ts";
import { logLines } from "../../../src/daemon/life/log-reader.ts";
import { temporaryFolder } from "../../support/ledger.ts";

const never = new AbortController().signal;

async function all(file: string): Promise<readonly (string | null)[]> {
  return await Array.fromAsync(logLines(file, { follow: false, signal: never }));
}

suite("the lines of a log", () => {
  test("come from the older files first, and the last even where it is torn", async (t) => {
    const file = path.join(temporaryFolder(t), "hone.log");
    fs.writeFileSync(`${file}.2`, "one\ntwo\n");
    fs.writeFileSync(`${file}.1`, "three\n");
    fs.writeFileSync(file, "vier €\nfi");

    assert.deepEqual(await all(file), ["one", "two", "three", "vier €", "fi"]);
  });

  test("are none where there is no log", async (t) => {
    assert.deepEqual(await all(path.join(temporaryFolder(t), "hone.log")), []);
  });

  test("are followed through rotations, none lost and none twice", async (t) => {
    const file = path.join(temporaryFolder(t), "hone.log");
    using log = new LogFile({ file, maxBytes: 200, files: 50 });
    const write = (from: number, to: number): void => {
      for (let at = from; at < to; at += 1) log.write(`line ${at}\n`);
    };
    write(0, 10);
    const controller = new AbortController();
    const seen: string[] = [];

    for await (const line of logLines(file, { follow: true, signal: controller.signal })) {
      if (line !== null) seen.push(line);
      else if (seen.length === 10) write(10, 100);
      else if (seen.length === 100) write(100, 300);
      else controller.abort();
    }

    assert.deepEqual(
      seen,
      Array.from({ length: 300 }, (_, at) => `line ${at}`),
    );
  });

  test("are followed in a file that takes the place of one that was removed", async (t) => {
    const file = path.join(temporaryFolder(t), "hone.log");
    fs.writeFileSync(`${file}.1`, "old\n");
    fs.utimesSync(`${file}.1`, 1, 1);
    fs.writeFileSync(file, "one\n");
    const controller = new AbortController();
    const seen: string[] = [];

    for await (const line of logLines(file, { follow: true, signal: controller.signal })) {
      if (line !== null) seen.push(line);
      else if (seen.length === 2) {
        fs.rmSync(file);
        fs.writeFileSync(file, "two\n");
      } else if (seen.length === 3) controller.abort();
    }

    assert.deepEqual(seen, ["old", "one", "two"]);
  });
});
