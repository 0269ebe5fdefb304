import assert from "node:assert/strict";
import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { tokenIn } from "../../src/serve/http/token.ts";
import { aFolder } from "../support/hone.ts";

test("the token is made once, for this user alone", async (t) => {
  const file = path.join(await aFolder(t), "run", "token");

  const made = await tokenIn(file);

  assert.match(made, /^[0-9a-f]{64}$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await readFile(file, "utf8"), `${made}\n`);
  assert.equal(await tokenIn(file), made);
});

test("a token that others may read, a link, and a file without one are refused", async (t) => {
  const dir = await aFolder(t);
  const [open, short, real, link] = ["open", "short", "real", "link"].map((name) =>
    path.join(dir, name),
  ) as [string, string, string, string];
  await tokenIn(open);
  await chmod(open, 0o640);
  await writeFile(short, "short\n", { mode: 0o600 });
  await tokenIn(real);
  await symlink(real, link);

  await assert.rejects(tokenIn(open), { code: "refused", hint: /chmod 600/ });
  await assert.rejects(tokenIn(short), { code: "refused", message: /holds no token/ });
  await assert.rejects(tokenIn(link), { code: "refused" });
});
