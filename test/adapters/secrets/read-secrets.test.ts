import assert from "node:assert/strict";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import { readSecrets } from "../../../src/adapters/secrets/read-secrets.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import { temporaryFolder } from "../../support/ledger.ts";

function badConfig(pattern: RegExp, value = "hunter2hunter2"): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof HoneError && error.code === "bad-config");
    assert.match(error.message, pattern);
    assert.ok(!`${error.message} ${error.hint}`.includes(value), "no value is told");
    return true;
  };
}

suite("secrets", () => {
  test("come from the environment, by a prefix that keeps the rest of it out of reach", () => {
    const env = {
      HONE_SECRET_API_KEY: "12345678",
      AWS_SECRET_ACCESS_KEY: "abcdefgh",
      PATH: "/bin",
    };

    const secrets = readSecrets({ env, dir: null, file: "" });

    const asked = ["API_KEY", "AWS_SECRET_ACCESS_KEY", "PATH", "constructor"];
    assert.deepEqual(
      asked.map((name) => secrets.value(name)),
      ["12345678", null, null, null],
    );
  });

  test("come from a private file, which the environment outranks", (t) => {
    const file = path.join(temporaryFolder(t), "secrets");
    writeFileSync(file, "# keys\nONE=first=value\n\nTWO = second value \n", { mode: 0o600 });

    const secrets = readSecrets({ env: { HONE_SECRET_TWO: "from the env" }, dir: null, file });

    assert.deepEqual(
      ["ONE", "TWO"].map((name) => secrets.value(name)),
      ["first=value", "from the env"],
    );
  });

  test("a file that others may read is refused, and so is a link to one", (t) => {
    const file = path.join(temporaryFolder(t), "secrets");
    writeFileSync(file, "ONE=hunter2hunter2\n");
    chmodSync(file, 0o640);
    const link = `${file}-link`;
    symlinkSync(file, link);

    assert.throws(
      () => readSecrets({ env: {}, dir: null, file }),
      badConfig(/may be read by others/),
    );
    assert.throws(
      () => readSecrets({ env: {}, dir: null, file: link }),
      badConfig(/not a plain file/),
    );
    assert.throws(
      () => readSecrets({ env: {}, dir: null, file: `${file}-gone` }),
      badConfig(/ENOENT/),
    );
  });

  test("every problem is named, and no value", (t) => {
    const file = path.join(temporaryFolder(t), "secrets");
    writeFileSync(
      file,
      "lower=hunter2hunter2\nSHORT=hunter2\nnothing\nLINE=hunter2hunter2\u00e9\n",
      { mode: 0o600 },
    );

    assert.throws(
      () => readSecrets({ env: {}, dir: null, file }),
      badConfig(/:1: a name.*:2: a value has 8.*:3: a name.*:4: the value cannot/, "hunter2"),
    );
  });
});
