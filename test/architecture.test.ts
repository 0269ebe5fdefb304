import assert from "node:assert/strict";
import { test } from "node:test";
import { projectFiles, reachedFrom, type Import, type ProjectFile } from "./support/imports.ts";

/** Each layer may import itself and the layers named. What is not named here is not allowed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ["domain"],
  examine: ["domain", "ports"],
  stages: ["domain", "ports", "examine"],
  gates: ["domain", "ports", "examine"],
  "proposers/revert": ["domain", "ports", "examine"],
  "proposers/drift": ["domain", "ports", "examine"],
  "proposers/search": ["domain", "ports", "examine"],
  "proposers/model": ["domain", "ports", "examine", "proposers/search"],
  library: ["domain", "ports"],
  loop: ["domain", "ports", "examine", "stages"],
  "adapters/capabilities": ["domain", "ports", "sandbox"],
  "adapters/docker": ["domain", "ports", "sandbox", "adapters/guest"],
  "adapters/fast-check": ["domain", "ports", "sandbox"],
  "adapters/git": ["domain", "ports", "sandbox"],
  "adapters/guest": ["domain", "ports", "sandbox"],
  "adapters/isolate": ["domain", "ports", "sandbox", "adapters/guest"],
  "adapters/llama": ["domain", "ports", "sandbox", "entries"],
  "adapters/model-server": ["domain", "ports", "sandbox"],
  "adapters/morph": ["domain", "ports", "sandbox", "entries"],
  "adapters/openai": ["domain", "ports", "sandbox"],
  "adapters/secrets": ["domain", "ports", "sandbox"],
  "adapters/sqlite": ["domain", "ports", "sandbox"],
  "adapters/undici": ["domain", "ports", "sandbox"],
  "adapters/zod": ["domain", "ports", "sandbox"],
  editor: ["domain", "ports", "proposers/search", "proposers/drift"],
  settings: ["domain"],
  entries: [],
  serve: ["domain", "ports"],
  daemon: [
    "domain",
    "ports",
    "examine",
    "stages",
    "loop",
    "settings",
    "serve",
    "rewards",
    "compose",
    "entries",
  ],
  compose: [
    "domain",
    "ports",
    "examine",
    "gates",
    "proposers/*",
    "library",
    "adapters/*",
    "loop",
    "settings",
    "daemon",
  ],
  eval: ["domain", "ports", "examine", "stages", "library", "loop", "settings", "compose"],
  redteam: ["domain", "ports", "examine", "gates", "stages", "loop", "settings", "compose"],
  service: ["domain", "settings", "serve", "entries"],
  demo: ["domain", "serve", "entries"],
  cli: [
    "domain",
    "ports",
    "settings",
    "serve",
    "service",
    "daemon",
    "compose",
    "eval",
    "redteam",
    "demo",
    "entries",
  ],
  main: ["cli"],
  rewards: ["domain"],
  skills: [],
  sandbox: [],
};

/** Beyond that, names of types only: they leave nothing behind when the program runs. */
const MAY_NAME: Readonly<Record<string, readonly string[]>> = {
  "adapters/morph": ["editor"],
  eval: ["cli"],
  redteam: ["cli"],
  demo: ["cli"],
};

/** The npm packages of each layer: whoever wants another one looks here first. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "proposers/drift": ["ts-morph"],
  "proposers/model": ["jsonrepair", "zod"],
  "proposers/search": ["@eslint-community/regexpp", "ts-morph"],
  library: ["yaml", "zod"],
  "adapters/docker": ["dockerode"],
  "adapters/fast-check": ["fast-check"],
  "adapters/git": ["simple-git"],
  "adapters/llama": ["node-llama-cpp"],
  "adapters/openai": ["openai"],
  "adapters/sqlite": ["better-sqlite3"],
  "adapters/undici": ["undici"],
  "adapters/zod": ["zod"],
  editor: ["ts-morph", "yaml"],
  settings: ["yaml", "zod"],
  serve: ["@hono/node-server", "@modelcontextprotocol/server", "hono", "prom-client", "zod"],
  daemon: ["@opentelemetry/api", "node-cron", "pino"],
  eval: ["zod"],
  redteam: ["zod"],
  cli: ["@bomb.sh/tab", "commander", "jsonc-parser", "pino-pretty", "smol-toml"],
  sandbox: [
    "@exodus/bytes",
    "core-js-pure",
    "esbuild",
    "event-target-shim",
    "isolated-vm",
    "xstate",
  ],
};

/** Layers that decide and touch nothing: no file, no process, no socket, no clock of the machine. */
const PURE = [
  "domain",
  "ports",
  "examine",
  "stages",
  "gates",
  "proposers/*",
  "loop",
  "rewards",
  "skills",
];

/** The prose: repairs, beginnings and ends of skills, what the ledger is told of them, and what is told meanwhile. */
const LOOP = [
  "loop.ts",
  "progress.ts",
  "repair.ts",
  "versions.ts",
  "watching.ts",
  "shadowing.ts",
  "births.ts",
  "tenure.ts",
  "records.ts",
  "pins.ts",
];

const files = projectFiles(["src", "sandbox", "rewards", "skills"]);

/** The layer of a path: its folder, where adapters and proposers count one by one. */
function layerOf(path: string): string {
  const [top = "", next = "", third = ""] = path.split("/");
  if (top !== "src") return top;
  if (/^src\/daemon\/compose(-[\w-]+)?\.ts$/.test(path)) return "compose";
  if (next === "adapters" || next === "proposers") return `${next}/${third}`;
  if (third !== "") return next;
  if (next === "main.ts") return "main";
  if (next === "entries.ts") return "entries";
  return LOOP.includes(next) ? "loop" : "settings";
}

function isAmong(layer: string, named: readonly string[]): boolean {
  return named.includes(layer) || named.includes(layer.replace(/\/.*/, "/*"));
}

function filesOf(...layers: readonly string[]): readonly ProjectFile[] {
  const found = files.filter(({ path }) => layers.includes(layerOf(path)));
  assert.ok(found.length > 0, "a rule that sees no files proves nothing");
  return found;
}

/** Every import that a rule forbids, as `from -> to`. */
function offences(
  seen: readonly ProjectFile[],
  isAllowed: (made: Import, from: ProjectFile) => boolean,
): readonly string[] {
  assert.ok(seen.length > 0, "a rule that sees no files proves nothing");
  return seen.flatMap((from) =>
    from.imports.filter((made) => !isAllowed(made, from)).map(({ to }) => `${from.path} -> ${to}`),
  );
}

test("imports point one way only, so that any layer is understood without those above it", () => {
  const ownLayers = Object.keys(MAY_IMPORT);

  const wrong = offences(files, ({ to, isPackage, isType }, { path }) => {
    const [from, target] = [layerOf(path), layerOf(to)];
    if (isPackage || to === "package.json" || target === from) return true;
    const named = isType ? (MAY_NAME[from] ?? []) : [];
    return isAmong(target, [...(MAY_IMPORT[from] ?? []), ...named]);
  });

  assert.deepEqual(wrong, []);
  assert.deepEqual(new Set(files.map(({ path }) => layerOf(path))), new Set(ownLayers));
});

test("no stage imports another, so that the loop alone knows their order", () => {
  const wrong = offences(filesOf("stages"), ({ to }) => layerOf(to) !== "stages");

  assert.deepEqual(wrong, []);
});

test("each npm package belongs to the layers that name it, so that it can be replaced", () => {
  const wrong = offences(files, ({ to, isPackage }, { path }) => {
    if (!isPackage || to === "node") return true;
    return PACKAGES[layerOf(path)]?.includes(to) === true;
  });

  assert.deepEqual(wrong, []);
});

test("an adapter folder holds one npm package at most, so that it hides one decision", () => {
  const adapters = Object.entries(PACKAGES).filter(([layer]) => layer.startsWith("adapters/"));

  assert.ok(adapters.length > 0);
  assert.deepEqual(
    adapters.filter(([, packages]) => packages.length > 1),
    [],
  );
});

test("decisions are pure, so that the outer layers alone touch files, processes and sockets", () => {
  const wrong = offences(files, ({ to }, { path }) => {
    return to !== "node" || !isAmong(layerOf(path), PURE);
  });

  assert.deepEqual(wrong, []);
});

test("ports are contracts: they hold types and import nothing that runs", () => {
  const wrong = offences(filesOf("ports"), ({ isType }) => isType);

  assert.deepEqual(wrong, []);
});

test("only compose.ts and its parts make adapters, gates and proposers, so that the whole house shows in one place", () => {
  const made = /^src\/(adapters|gates|proposers|library)\//;

  const wrong = offences(filesOf("daemon", "loop", "cli", "main", "serve", "stages"), ({ to }) => {
    return !made.test(to);
  });

  assert.deepEqual(wrong, []);
});

test("ts-morph stays in the editor's process, because it grows and parses what is not trusted", () => {
  const users = files.filter(({ imports }) => imports.some(({ to }) => to === "ts-morph"));

  const inDaemon = ["src/main.ts", "src/daemon/daemon.ts"].flatMap((entry) =>
    [...reachedFrom(entry, files)].filter((to) => to === "ts-morph" || layerOf(to) === "editor"),
  );

  assert.deepEqual(inDaemon, []);
  assert.ok(reachedFrom("src/editor/main.ts", files).has("ts-morph"));
  assert.deepEqual(
    users.filter(({ path }) => !/^src\/(editor|proposers\/(search|drift\/ast))\//.test(path)),
    [],
  );
});

test("isolated-vm stays in guest processes, because it can take its process with it", () => {
  const loaded = files.flatMap(({ path, imports }) =>
    imports.filter(({ to, isType }) => to === "isolated-vm" && !isType).map(() => path),
  );
  const fromDaemon = reachedFrom("src/daemon/daemon.ts", files);

  assert.deepEqual(loaded, []);
  assert.ok(fromDaemon.has("sandbox/isolate/guest-text.ts"), "the way to guests was followed");
  assert.ok(!fromDaemon.has("isolated-vm"));
});

test("node-llama-cpp stays in a process of its own, because it holds gigabytes and can end it", () => {
  const fromDaemon = reachedFrom("src/daemon/daemon.ts", files);

  assert.ok(reachedFrom("src/adapters/llama/main.ts", files).has("node-llama-cpp"));
  assert.ok(!fromDaemon.has("node-llama-cpp"));
});

test("held-out cases are known to their gate and their reader alone, so that no proposer learns them", () => {
  const wrong = offences(files, ({ to }, { path }) => {
    if (!to.endsWith("held-out.ts")) return true;
    return (
      ["src/daemon/compose-gates.ts", "src/gates/cascade.ts"].includes(path) ||
      path.endsWith("held-out.ts")
    );
  });
  const eyes = filesOf(
    "proposers/revert",
    "proposers/drift",
    "proposers/search",
    "proposers/model",
    "editor",
  );

  assert.deepEqual(wrong, []);
  assert.deepEqual(
    eyes.filter(({ text }) => /heldOut/i.test(text)).map(({ path }) => path),
    [],
  );
});

test("programs are started in few places, so that each has its limits and its end", () => {
  const starters = files.filter(({ imports }) =>
    imports.some(({ specifier }) => specifier === "node:child_process"),
  );

  assert.deepEqual(
    new Set(starters.map(({ path }) => layerOf(path))),
    new Set([
      "adapters/git",
      "adapters/isolate",
      "adapters/llama",
      "adapters/model-server",
      "adapters/morph",
      "daemon",
      "demo",
      "sandbox",
      "service",
    ]),
  );
  assert.deepEqual(
    starters.map(({ path }) => path).filter((path) => layerOf(path) === "daemon"),
    [
      "src/daemon/doctor.ts",
      "src/daemon/life/start-daemon.ts",
      "src/daemon/model/model-service.ts",
    ],
  );
  assert.deepEqual(
    starters.map(({ path }) => path).filter((path) => layerOf(path) === "sandbox"),
    ["sandbox/docker/image/recipe.ts", "sandbox/docker/runner.ts"],
  );
});

test("what measures hone is no part of it: the daemon and the loop do not reach eval, redteam or demo", () => {
  const reached = ["src/daemon/daemon.ts", "src/loop.ts"].flatMap((entry) => [
    ...reachedFrom(entry, files),
  ]);

  assert.ok(reached.length > 50, "the daemon is more than a file");
  assert.deepEqual(
    reached.filter((to) => ["eval", "redteam", "demo"].includes(layerOf(to))),
    [],
  );
});

test("skills import nothing, because a proposal may change them", () => {
  const skills = filesOf("skills");

  assert.deepEqual(
    offences(skills, () => false),
    [],
  );
});

test("a file holds one thought, so none has more than 300 lines", () => {
  const long = files
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > 300);

  assert.ok(files.length > 200, "the whole tree was read");
  assert.deepEqual(long, []);
});

test("a file is named by its thought: no barrels, no helpers", () => {
  const vague = /(^|\/)(index|utils?|helpers?|managers?|services?|misc|common)\.ts$/;

  assert.deepEqual(
    files.filter(({ path }) => vague.test(path)).map(({ path }) => path),
    [],
  );
});

test("nothing is left to do in what ships", () => {
  const left = files.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text));

  assert.deepEqual(
    left.map(({ path }) => path),
    [],
  );
});
