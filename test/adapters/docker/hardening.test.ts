import assert from "node:assert/strict";
import { test } from "node:test";
import { passingUid } from "../../../src/adapters/docker/hardening.ts";
import { withEngine } from "../../support/containers.ts";
import { honesImage, runScript } from "../../support/run-container.ts";

test("a container's user is none that a machine has, and one that rootless engines have", () => {
  const uids = Array.from({ length: 1_000 }, () => passingUid());

  assert.ok(uids.every((uid) => uid >= 61_184 && uid < 65_534));
  assert.ok(new Set(uids).size > 500);
});

await withEngine(() => {
  test("a process in a container has no rights, no network, no secrets and nothing to write to", async () => {
    const image = await honesImage();
    const script = `
      const fs = require("node:fs"), os = require("node:os");
      const status = Object.fromEntries(fs.readFileSync("/proc/self/status", "utf8").split("\\n").map((line) => line.split(":\\t")));
      const failing = (work) => { try { work(); return "" } catch (error) { return error.code } };
      const megabytes = Buffer.alloc(9e6);
      console.log(JSON.stringify({
        effective: status.CapEff, bounding: status.CapBnd, privileges: status.NoNewPrivs, seccomp: status.Seccomp,
        isRoot: process.getuid() === 0 || process.getgid() === 0, groups: process.getgroups().length,
        root: failing(() => fs.writeFileSync("/file", "")), tmp: failing(() => fs.writeFileSync("/usr/file", "")),
        scratch: failing(() => { fs.writeFileSync("/scratch/a", megabytes); fs.writeFileSync("/scratch/b", megabytes) }),
        exec: failing(() => { fs.writeFileSync("/scratch/c", "#!/usr/local/bin/node", { mode: 0o755 }); require("node:child_process").execFileSync("/scratch/c") }),
        names: Object.keys(process.env).sort(), networks: Object.keys(os.networkInterfaces()).filter((name) => name !== "lo"),
        socket: fs.existsSync("/var/run/docker.sock"), entries: fs.readdirSync("/"), bin: fs.readdirSync("/usr/local/bin"),
        types: [...new Set(fs.readFileSync("/proc/self/mounts", "utf8").trim().split("\\n").map((line) => line.split(" ")).filter(([, where]) => where === "/" ).map(([, , , options]) => options.split(",")[0]))],
      }));`;

    const { end, stdout, stderr } = await runScript(image, script);

    assert.deepEqual([end.code, stderr], [0, ""]);
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    const { entries, ...rest } = seen;
    assert.deepEqual(rest, {
      effective: "0000000000000000",
      bounding: "0000000000000000",
      privileges: "1",
      seccomp: "2",
      isRoot: false,
      groups: rest["groups"],
      root: "EROFS",
      tmp: "EROFS",
      scratch: "ENOSPC",
      exec: rest["exec"],
      names: ["HOME", "HOSTNAME", "PATH"],
      networks: [],
      socket: false,
      bin: ["node"],
      types: ["ro"],
    });
    assert.match(String(rest["exec"]), /EACCES|ENOSPC/);
    assert.ok(
      !(entries as string[]).some((name) => ["home", "root", "work", "bin"].includes(name)),
    );
  });

  test("a fork bomb runs into the limit, and memory ends in the container", async () => {
    const image = await honesImage();
    const bomb = `
      const { spawn } = require("node:child_process");
      let refused = 0;
      for (let n = 0; n < 100; n++) spawn(process.execPath, ["-e", "setTimeout(() => {}, 5000)"]).on("error", ({ code }) => { refused += code === "EAGAIN" });
      setTimeout(() => { console.log(refused > 0); process.exit(0) }, 1000);`;
    const hog = "const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));";

    const bombed = await runScript(image, bomb);
    const hogged = await runScript(image, hog);

    // Where the bomb takes the container with it, it has ended just as well.
    assert.ok(bombed.stdout === "true\n" || bombed.end.code !== 0, bombed.stdout);
    assert.deepEqual(hogged.end, { code: 137, isOutOfMemory: true });
  });

  test("a process cannot look into its parent, nor speak through its streams", async () => {
    const image = await honesImage();
    const probe = `
      const fs = require("node:fs");
      const failing = (work) => { try { work(); return "" } catch (error) { return error.code } };
      const parent = "/proc/" + process.ppid;
      console.log(JSON.stringify([
        failing(() => fs.openSync(parent + "/fd/1", "w")), failing(() => fs.readdirSync(parent + "/fd")),
        failing(() => fs.openSync(parent + "/mem", "r+")), failing(() => fs.readFileSync(parent + "/maps")),
        failing(() => fs.readFileSync(parent + "/environ")),
      ]));`;
    const script = `console.log(require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(probe)}], { encoding: "utf8" }));`;

    const { stdout } = await runScript(image, script);

    const codes = JSON.parse(stdout) as string[];
    assert.equal(codes.length, 5);
    for (const code of codes) assert.match(code, /^(EACCES|EPERM)$/);
  });
});
