import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { areaSkill, BAD_AREA } from "../support/area-skill.ts";
import { withEngine } from "../support/containers.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { mayStartEngine, OwnEngine } from "../support/own-engine.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

/** The same skill by another name. */
const ROOM = skillFiles("room", {
  source: BAD_AREA.replace("area(", "room("),
  cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
  heldOut: [
    { name: "seven by three", input: { width: 7, height: 3 }, expect: 21 },
    { name: "ten by ten", input: { width: 10, height: 10 }, expect: 100 },
  ],
});

type Row = Readonly<Record<string, unknown>>;

await withEngine(() => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    test(`an engine that ends by ${signal} in the middle of a verification: no verdict, no release, and on by itself when it is back (B24)`, async (t) => {
      await using own = await OwnEngine.start();
      const workspace = await aWorkspace(t, areaSkill());
      const before = workspace.git("rev-parse", "hone");
      await using daemon = await DaemonProcess.start(workspace.dir, {
        HONE_DOCKER: "required",
        HONE_SANDBOX_SOCKET: own.socket,
        // A container exists only while a verification needs it.
        HONE_SANDBOX_WARM: "0",
        HONE_HELD_OUT_SHARE: "0",
        HONE_IMPROVE_BACKOFF_MS: "3600000",
      });
      await daemon.client.buildSandbox({});

      const { made } = await firstContainer(own);
      await daemon.client.call(MISSED);
      await made;
      await own.stop(signal);

      const parked = await until(async () => {
        const [incident] = await rows(daemon, "incidents");
        return incident?.["note"] !== "" && incident?.["state"] === "open" ? incident : null;
      });
      assert.match(String(parked["note"]), /^docker: sandbox-unavailable: /);
      assert.equal(parked["rejections"], 0);
      assert.equal(workspace.git("rev-parse", "hone"), before);
      assert.deepEqual(await rows(daemon, "releases"), []);
      assert.equal((await daemon.client.status())["docker"], "unavailable");

      await own.start();
      const [release] = await until(async () => {
        const releases = await rows(daemon, "releases");
        return releases[0]?.["state"] === "watching" ? releases : null;
      });

      const verified = await daemon.client.verify({ commit: String(release?.["commit"]) });
      assert.equal(verified["result"], "same");
      const tiers = (verified["tiers"] as Row[]).map(({ tier }) => tier);
      assert.deepEqual(tiers, ["isolate", "docker"]);
      assert.equal(await daemon.stop(), 0);
      assert.deepEqual(await all(own), []);
    });
  }

  test("under `auto` an engine that comes up is used from the next candidate on, without a restart", async (t) => {
    await using own = await OwnEngine.start();
    await own.stop();
    const workspace = await aWorkspace(t, { ...areaSkill(), ...ROOM });
    await using hone = await workspace.open({ docker: "auto", sandbox: { socket: own.socket } });
    await hone.operations.call(MISSED);
    await hone.operations.call({ ...MISSED, skill: "room" });
    const without = await hone.operations.improve({ skill: "area" });
    await own.start();

    const within = await hone.operations.improve({ skill: "room" });

    const dockerOf = ({ commit }: Row): unknown =>
      (JSON.parse(workspace.git("notes", "--ref=hone", "show", String(commit))) as Row)["docker"];
    assert.deepEqual([without["result"], within["result"]], ["released", "released"]);
    assert.deepEqual([dockerOf(without), dockerOf(within)], ["unavailable", "passed"]);
  });
}, mayStartEngine);

async function until<T>(find: () => Promise<T | null | false>): Promise<T> {
  const endsAt = Date.now() + 60_000;
  for (;;) {
    const found = await find();
    if (found !== null && found !== false) return found;
    if (Date.now() > endsAt) throw new Error("it did not come");
    await pause(20);
  }
}

async function rows(
  { client }: DaemonProcess,
  what: "incidents" | "releases",
): Promise<readonly Row[]> {
  if (what === "incidents") {
    return ((await client.incidents({ all: true })) as { incidents: Row[] }).incidents;
  }
  return (await client.status())["releases"] as unknown as Row[];
}

/** Resolves when a container is made from now on: it is short-lived, and looking for it may miss it. */
async function firstContainer({ engine }: OwnEngine): Promise<{ readonly made: Promise<unknown> }> {
  const filters: { event: string[] } = { event: ["create"] };
  const events = await engine.call("events", 10_000, (docker) => docker.getEvents({ filters }));
  // The engine is about to end, and the stream with it.
  events.on("error", () => undefined);
  const first = once(events, "data", { signal: AbortSignal.timeout(60_000) });
  return { made: first };
}

async function all({ engine }: OwnEngine): Promise<readonly unknown[]> {
  return await engine.call("list", 10_000, (docker) => docker.listContainers({ all: true }));
}
