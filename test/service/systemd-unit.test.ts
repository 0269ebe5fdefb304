import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import type { Service } from "../../src/service/service-facts.ts";
import { systemdUnit } from "../../src/service/systemd-unit.ts";
import { aFolder } from "../support/hone.ts";
import { ROOT } from "../support/imports.ts";

/** Without systemd's tool nothing can be said of a unit; where all must be tested it is there. */
const skip = await systemdAnalyze(["--version"]).then(
  () => false,
  () => (process.env["HONE_REQUIRE_SYSTEMD"] === "1" ? false : "there is no systemd-analyze"),
);

/** Signs that mean something to a unit file, to its command lines, or to a shell. */
const ODD = `a b%n "c" 'd' \\t $HOME #e;f é`;

for (const scope of ["user", "system"] as const) {
  test(
    `systemd takes the ${scope} unit as it is, whatever the folders are called`,
    { skip },
    async (t) => {
      const service = await aService(t, {
        scope,
        isInHome: true,
        alsoWritten: ["/srv/other tree"],
      });

      const said = await verified(t, service);

      assert.equal(said, "");
    },
  );

  test(
    `what systemd reads in the ${scope} unit are the very words that were meant`,
    { skip },
    async (t) => {
      const service = await aService(t, { scope });
      const launcher = "/srv/a b%n $HOME #e;f é/hone";

      const said = await verified(t, { ...service, launcher }).catch(
        (error: Error) => error.message,
      );

      assert.match(said, new RegExp(`Command ${escaped(launcher)} is not executable`));
    },
  );
}

test(
  "the security score of a unit is what docs/service.md says, or better",
  { skip },
  async (t) => {
    const page = await readFile(path.join(ROOT, "docs/service.md"), "utf8");
    for (const scope of ["user", "system"] as const) {
      const [, stated = ""] = new RegExp(`\\| ${scope} unit \\| (\\d\\.\\d) `).exec(page) ?? [];
      const service = await aService(t, {
        scope,
        workspace: "/srv/tools",
        isInHome: scope === "user",
      });

      const { stdout } = await systemdAnalyze([
        "security",
        "--offline=yes",
        "--no-pager",
        await written(t, service),
      ]);

      const [, score = ""] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? [];
      t.diagnostic(`${scope} unit: ${score}`);
      assert.ok(Number(score) > 0 && Number(score) <= Number(stated), `${score}, stated ${stated}`);
    }
  },
);

test("a unit that holds a model leaves it memory and a GPU; one in /tmp is not walled off from it", async (t) => {
  const service = await aService(t, {});

  const unit = systemdUnit({ ...service, holdsModel: true, isInTmp: true, isInHome: false });

  assert.match(unit, /^ReadWritePaths=.* -\/tmp /m);
  assert.doesNotMatch(unit, /MemoryMax|PrivateDevices|PrivateTmp|MemoryDenyWriteExecute/);
  assert.match(systemdUnit(service), /^MemoryMax=4G$/m);
});

test("where users may make no namespaces, their unit has no walls, since it would not start", async (t) => {
  const service = await aService(t, { canWall: false });

  const unit = systemdUnit(service);

  assert.doesNotMatch(unit, /ProtectSystem|PrivateUsers|ReadWritePaths|CapabilityBoundingSet/);
  assert.match(unit, /^NoNewPrivileges=yes$/m);
  assert.match(systemdUnit({ ...service, scope: "system" }), /^ProtectSystem=strict$/m);
});

/** A service whose folders have the oddest names, and whose command is there. */
async function aService(t: TestContext, of: Partial<Service>): Promise<Service> {
  const dir = await aFolder(t);
  const folder = path.join(dir, ODD);
  await mkdir(folder);
  const launcher = path.join(folder, "hone");
  await writeFile(launcher, "#!/bin/sh\n");
  await chmod(launcher, 0o755);
  return {
    scope: "user",
    name: "hone-tools",
    workspace: folder,
    launcher,
    path: `${folder}:/usr/bin:/bin`,
    user: "daemon",
    alsoWritten: [],
    isInHome: false,
    isInTmp: false,
    canWall: true,
    holdsModel: false,
    ...of,
  };
}

/** What `systemd-analyze verify` finds wrong with the unit; rejects where that is an error. */
async function verified(t: TestContext, service: Service): Promise<string> {
  const flags = service.scope === "user" ? ["--user"] : [];
  const { stdout, stderr } = await systemdAnalyze([
    "verify",
    "--man=no",
    ...flags,
    await written(t, service),
  ]);
  const own = `${stdout}${stderr}`.split("\n").filter((line) => line.includes(service.name));
  return own.join("\n");
}

async function written(t: TestContext, service: Service): Promise<string> {
  const file = path.join(await aFolder(t), `${service.name}.service`);
  await writeFile(file, systemdUnit(service));
  return file;
}

async function systemdAnalyze(args: readonly string[]) {
  // A manager of its own is looked for there; it is none of this machine's.
  const env = {
    PATH: process.env["PATH"] ?? "",
    XDG_RUNTIME_DIR: "/tmp",
    HOME: "/tmp",
    LC_ALL: "C.UTF-8",
  };
  return await promisify(execFile)("systemd-analyze", args, { env, timeout: 60_000 });
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
