import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { checkNativeModules } from "../../../src/adapters/sqlite/native-modules.ts";
import { temporaryFolder } from "../../support/ledger.ts";

test("here, both native modules fit this Node", () => {
  assert.equal(checkNativeModules(), null);
});

test("a native module that this Node cannot load is one line with the remedy", (t) => {
  const load = requireWhere(t, {
    "better-sqlite3": "module.exports = class { constructor() { require('./binding.node'); } };",
  });

  const line = checkNativeModules(load) ?? "";

  assert.match(line, /^The native module better-sqlite3 does not load under Node v/);
  assert.match(line, /Remedy: run `npm ci`/);
  assert.equal(line.includes("\n"), false);
});

test("a module built for another Node version is named with the reason (B75)", (t) => {
  const load = requireWhere(t, {
    "better-sqlite3": `module.exports = class { constructor() { throw new Error(
      "The module was compiled against a different Node.js version using\\nNODE_MODULE_VERSION 115."
    ); } };`,
  });

  assert.match(checkNativeModules(load) ?? "", /compiled against a different Node\.js version/);
});

test("an isolated-vm without a build for this platform is named", (t) => {
  const load = requireWhere(t, {
    "better-sqlite3": "module.exports = class { close() {} };",
    "isolated-vm": "",
    "node-gyp-build":
      "exports.path = (folder) => { throw new Error('No native build in ' + folder); };",
  });

  assert.match(checkNativeModules(load) ?? "", /isolated-vm .*No native build in .*isolated-vm/);
});

test("modules that are not installed are named", (t) => {
  assert.match(
    checkNativeModules(requireWhere(t, {})) ?? "",
    /better-sqlite3 .*Cannot find module/,
  );
});

/** A `require` that finds only these packages, given by their main file's text. */
function requireWhere(t: TestContext, packages: Readonly<Record<string, string>>): NodeJS.Require {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(packages)) {
    const home = path.join(folder, "node_modules", name);
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, "package.json"), JSON.stringify({ name, main: "main.js" }));
    writeFileSync(path.join(home, "main.js"), text);
    writeFileSync(path.join(home, "binding.node"), "no machine code");
  }
  return createRequire(path.join(folder, "main.js"));
}
