import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { loadConfig } from "../src/config-file.ts";
import type { ConfigSources } from "../src/config-file.ts";
import { allSettings } from "../src/settings.ts";
import { aFolder } from "./support/hone.ts";

test("flags beat the environment, which beats the workspace, the user and the machine", async (t) => {
  const sources = await someSources(t, {
    system: "guests: {warm: 1, most: 1}\ntasks: {parallel: 1}\nlogLevel: error\nbranch: system\n",
    user: "guests: {warm: 2}\ntasks: {parallel: 2}\nlogLevel: warn\n",
    workspace: "guests: {warm: 3}\nlogLevel: debug\n",
  });
  const env = { ...sources.env, HONE_LOG_LEVEL: "silent", HONE_GUESTS_WARM: "4" };

  const { config, origins } = await loadConfig({ ...sources, env, flags: ["guests.warm=5"] });

  assert.equal(config.guests.warm, 5);
  assert.equal(config.logLevel, "silent");
  assert.equal(config.tasks.parallel, 2);
  assert.equal(config.guests.most, 1);
  assert.equal(config.branch, "system");
  assert.equal(config.improve.budgetMs, 20_000);
  assert.equal(origins["guests.warm"], "flag");
  assert.equal(origins["logLevel"], "HONE_LOG_LEVEL");
  assert.equal(origins["tasks.parallel"], path.join(sources.userDir, "hone", "config.yaml"));
  assert.equal(origins["branch"], sources.systemFile);
  assert.equal(origins["improve.budgetMs"], undefined);
});

test("without any file everything has its default", async (t) => {
  const { config, origins } = await loadConfig(await someSources(t, {}));

  assert.deepEqual(origins, {});
  assert.deepEqual(config.proposers, ["revert", "drift", "search", "model"]);
});

test("a list may be written with commas, or as YAML", async (t) => {
  const sources = await someSources(t, {});
  const withEnv = (HONE_PROPOSERS: string): Promise<{ config: { proposers: readonly string[] } }> =>
    loadConfig({ ...sources, env: { ...sources.env, HONE_PROPOSERS } });

  assert.deepEqual((await withEnv("search, revert")).config.proposers, ["search", "revert"]);
  assert.deepEqual((await withEnv("[drift]")).config.proposers, ["drift"]);
});

test("every problem of a source is named at once, with what was probably meant", async (t) => {
  const sources = await someSources(t, {
    workspace: "publish: always\nbudgetMs: 3\nguests: {wram: 1}\nschedules: [{name: x, crn: y}]\n",
  });

  await assert.rejects(loadConfig(sources), (thrown: Error & { code: string }) => {
    assert.equal(thrown.code, "bad-config");
    assert.match(thrown.message, /hone\.yaml is not a valid configuration/);
    assert.match(thrown.message, /publish: /);
    assert.match(thrown.message, /budgetMs is no setting, did you mean improve\.budgetMs\?/);
    assert.match(thrown.message, /guests\.wram is no setting, did you mean warm\?/);
    assert.match(thrown.message, /schedules\.0\.crn is no setting, did you mean cron\?/);
    return true;
  });
});

test("an alias that names nothing, and one that grows without end, are settings that are not valid", async (t) => {
  const [first, ...more] = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
  const lines = more.map((name, at) => {
    const before = [first, ...more][at] ?? first;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`;
  });
  const growing = [`${first}: &${first} [x]`, ...lines, "log: *h", ""].join("\n");
  const files = ["schedules: [{name: x, cron: */5 * * * *}]\n", "schedules: *all\n", growing];

  for (const workspace of files) {
    const sources = await someSources(t, { workspace });
    await assert.rejects(loadConfig(sources), { code: "bad-config", message: /hone\.yaml/ });
  }
});

test("a slip in a variable's name is an error, another program's variable is not", async (t) => {
  const sources = await someSources(t, {});

  await assert.rejects(loadConfig({ ...sources, env: { ...sources.env, HONE_LOGLEVEL: "warn" } }), {
    message: /HONE_LOGLEVEL is no setting, did you mean HONE_LOG_LEVEL\?/,
  });
  await loadConfig({ ...sources, env: { ...sources.env, HONE_RAZOR_STEEL: "blue" } });
});

test("a flag must be a setting and a value", async (t) => {
  const sources = await someSources(t, {});

  await assert.rejects(loadConfig({ ...sources, flags: ["logLevl=warn"] }), {
    code: "usage",
    message: /did you mean logLevel\?/,
  });
  await assert.rejects(loadConfig({ ...sources, flags: ["logLevel"] }), { code: "usage" });
  await assert.rejects(loadConfig({ ...sources, flags: ["tasks.parallel=many"] }), {
    code: "bad-config",
  });
});

test("a file may not reach the prototype of anything", async (t) => {
  const sources = await someSources(t, { workspace: "__proto__: {polluted: 1}\n" });

  await assert.rejects(loadConfig(sources), { code: "bad-config" });
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test("no two settings share an environment variable", () => {
  const names = allSettings().map(({ env }) => env);

  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes("HONE_IMPROVE_BUDGET_MS"));
  for (const { description } of allSettings()) assert.match(description, /\.$/);
});

async function someSources(
  t: TestContext,
  files: { readonly system?: string; readonly user?: string; readonly workspace?: string },
): Promise<ConfigSources & { readonly userDir: string }> {
  const dir = await aFolder(t);
  const userDir = path.join(dir, "user");
  await mkdir(path.join(userDir, "hone"), { recursive: true });
  const systemFile = path.join(dir, "system.yaml");
  if (files.system !== undefined) await writeFile(systemFile, files.system);
  if (files.user !== undefined) await writeFile(path.join(userDir, "hone/config.yaml"), files.user);
  if (files.workspace !== undefined) await writeFile(path.join(dir, "hone.yaml"), files.workspace);
  return { workspaceDir: dir, env: { XDG_CONFIG_HOME: userDir }, systemFile, userDir };
}
