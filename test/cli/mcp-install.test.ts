import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parse as parseToml } from "smol-toml";
import { MCP_CLIENTS } from "../../src/cli/mcp-clients.ts";
import { withJsonEntry } from "../../src/cli/mcp-json-entry.ts";
import { withTomlEntry } from "../../src/cli/mcp-toml-entry.ts";
import { aFolder, hone } from "../support/hone.ts";

const ENTRY = { command: "/opt/hone/bin/hone", args: ["--workspace", "/w", "mcp"] };
const WANTED = { file: "/settings", name: "hone", entry: ENTRY };
const JSON_WANTED = { ...WANTED, key: "mcpServers" };
const TOML_WANTED = { ...WANTED, key: "mcp_servers" };

const SETTINGS = `{
    // my servers
    "theme": "dark", /* keep */
    "mcpServers": {
        "other": { "command": "x", "env": { "KEY": "secret" } }, // trailing comma below
    },
}
`;

test("an entry is added to JSON with comments, and every other byte stays", () => {
  const made = withJsonEntry(SETTINGS, JSON_WANTED);

  for (const kept of [
    "// my servers",
    "/* keep */",
    '"KEY": "secret"',
    "// trailing comma below",
  ]) {
    assert.ok(made.includes(kept), kept);
  }
  assert.match(made, /^ {8}"hone": \{/m);
  assert.equal(withJsonEntry(made, JSON_WANTED), made);
});

test("an entry that is there gets the new command and keeps what somebody added to it", () => {
  const old = {
    mcpServers: { hone: { command: "/old", args: [], env: { A: "1" }, disabled: false } },
  };

  const made = JSON.parse(
    withJsonEntry(JSON.stringify(old, null, "\t"), JSON_WANTED),
  ) as typeof old;

  assert.deepEqual(made.mcpServers.hone, { ...ENTRY, env: { A: "1" }, disabled: false });
});

test("an empty file, a byte order mark and CRLF are what they were", () => {
  assert.deepEqual(JSON.parse(withJsonEntry("", JSON_WANTED)), { mcpServers: { hone: ENTRY } });
  const made = withJsonEntry('\uFEFF{\r\n  "a": 1\r\n}\r\n', JSON_WANTED);
  assert.ok(made.startsWith("\uFEFF{\r\n"));
  assert.ok(!/[^\r]\n/.test(made));
});

test("a file that cannot be read is refused with the place, and nothing is made of it", () => {
  for (const text of ['{"a": ', "[]", "null", '{"mcpServers": []}', "{'a': 1}", '{"a": 1} x']) {
    assert.throws(() => withJsonEntry(text, JSON_WANTED), { code: "bad-config" }, text);
  }
  for (const text of ["a = ", "mcp_servers = 1", "[a]\n[a]"]) {
    assert.throws(() => withTomlEntry(text, TOML_WANTED), { code: "bad-config" }, text);
  }
});

function tableIn(text: string): { mcp_servers: { hone: object } } {
  return JSON.parse(JSON.stringify(parseToml(text))) as { mcp_servers: { hone: object } };
}

const TOML = `# my settings
model = "o3" # keep

[mcp_servers.other] # theirs
command = "x"
env = { KEY = "secret" }

[tui]
theme = "dark"
`;

test("a table is added to TOML behind all that is there", () => {
  const made = withTomlEntry(TOML, TOML_WANTED);

  assert.ok(made.startsWith(TOML));
  assert.deepEqual(tableIn(made).mcp_servers.hone, ENTRY);
  assert.equal(withTomlEntry(made, TOML_WANTED), made);
});

test("a table that is there gets the new command; its comments, members and subtables stay", () => {
  const old = `${TOML}\n[ mcp_servers . "hone" ] # ours\ncommand = "/old"\nargs = []\nstartup_timeout_sec = 20 # slow\n\n[mcp_servers.hone.env]\nA = "1"\n`;

  const made = withTomlEntry(old, TOML_WANTED);

  const { hone: found } = tableIn(made).mcp_servers;
  assert.deepEqual(found, { ...ENTRY, startup_timeout_sec: 20, env: { A: "1" } });
  for (const kept of ["# ours", "# slow", "# theirs", "# keep"]) assert.ok(made.includes(kept));
});

test("servers that are written in one line, or with a list over many, are left to their owner", () => {
  for (const text of [
    'mcp_servers = { other = { command = "x" } }\n',
    '[mcp_servers.hone]\ncommand = "/old"\nargs = [\n  "a",\n]\n',
  ]) {
    assert.throws(() => withTomlEntry(text, TOML_WANTED), { code: "bad-config" }, text);
  }
});

test("the command line writes the entry of each client once, and keeps the file before it", async (t) => {
  const home = await aFolder(t);
  writeFileSync(path.join(home, "hone.yaml"), "");
  const places = { home, platform: process.platform, env: {} };
  const env = { HOME: home, XDG_CONFIG_HOME: path.join(home, ".config") };
  const [cursor, codex] = ["cursor", "codex"].map((name) =>
    MCP_CLIENTS.find((client) => client.name === name)?.file(places),
  );
  assert.ok(cursor !== undefined && codex !== undefined);
  mkdirSync(path.dirname(cursor), { recursive: true });
  const real = path.join(home, "dotfiles.json");
  writeFileSync(real, SETTINGS, { mode: 0o640 });
  symlinkSync(real, cursor);
  const install = async (...args: string[]) =>
    await hone(["mcp", "install", ...args], { cwd: home, env });

  const dry = await install("cursor", "--dry-run");
  assert.equal(readFileSync(real, "utf8"), SETTINGS);
  const written = await install("cursor");
  const again = await install("cursor");
  const toml = await install("codex", "--name", "mine");
  const printed = await install("vscode", "--print");
  const unknown = await install("cusror");

  assert.match(dry.stdout, /"hone": \{/);
  assert.match(written.stdout, /written/);
  assert.match(again.stdout, /unchanged/);
  assert.match(readFileSync(real, "utf8"), /bin\/hone/);
  assert.equal(readFileSync(`${real}.before-hone`, "utf8"), SETTINGS);
  assert.deepEqual([statSync(real).mode & 0o777, toml.code], [0o640, 0]);
  assert.match(readFileSync(codex, "utf8"), /^\[mcp_servers\.mine\]$/m);
  assert.equal(statSync(codex).mode & 0o777, 0o600);
  const { servers } = JSON.parse(printed.stdout) as { servers: { hone: { args: string[] } } };
  assert.equal(servers.hone.args.at(-1), "mcp");
  assert.deepEqual([unknown.code, /Did you mean cursor/.test(unknown.stderr)], [2, true]);
  assert.deepEqual(
    readdirSync(home).filter((name) => name.endsWith(".tmp")),
    [],
  );
});
