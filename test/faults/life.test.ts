import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { DaemonProcess, survivors } from "../support/daemon.ts";
import { inject, type Fault } from "./fault.ts";
import { assertSound } from "./invariants.ts";
import { aCopyOf, INPUT, WRONG } from "./site.ts";
import { templates } from "./templates.ts";

const CONFIG = "publish: auto\nimprove: { automatic: false }\n";

const STRUCK = path.join(import.meta.dirname, "../support/struck-daemon.ts");

/** Steps of a start and of an end, in their order, each with the call at which the process is gone. */
const START: readonly (readonly [string, string])[] = [
  ["before its beginning is written down", "write life.json"],
  ["half-way through writing its beginning down", "rename life.json"],
  ["before its pid file", "write hone.pid"],
  ["before anybody may open its socket", "chmod hone.sock"],
  ["before it says that it is ready", 'log "msg":"ready"'],
];

const END: readonly (readonly [string, string])[] = [
  ["at the signal", 'log "msg":"stopping"'],
  ["with all its work ended", 'log "msg":"ended"'],
  ["before its pid file is gone", "remove hone.pid"],
];

type Place = ReturnType<typeof aCopyOf>;

export const faults = inject(import.meta.main, {
  kind: "kill -9 in a life",
  faults: [
    ...START.map(([when, call]) => fault(`at its start, ${when}`, call, startHolds)),
    ...END.map(([when, call]) => fault(`at its end, ${when}`, call, endHolds)),
  ],
});

function fault(
  name: string,
  call: string,
  holds: (place: Place, env: Readonly<Record<string, string>>) => Promise<void>,
): Fault {
  return {
    name,
    strikes: `daemon: ${call}`,
    holds: async (t: TestContext) => {
      const place = aCopyOf(t, (await templates()).fallen);
      place.workspace.write({ "hone.yaml": CONFIG });
      await holds(place, { NODE_OPTIONS: `--import ${STRUCK}`, STRIKE: `kill ${call}` });
      await assertWholeLife(place);
    },
  };
}

async function startHolds({ workspace }: Place, env: Readonly<Record<string, string>>) {
  await assert.rejects(DaemonProcess.start(workspace.dir, env), /the daemon ended/);
}

async function endHolds({ workspace }: Place, env: Readonly<Record<string, string>>) {
  await using daemon = await DaemonProcess.start(workspace.dir, env);
  assert.equal(await daemon.stop(), null, "it was killed");
}

/** The next daemon starts, works, counts one crash at most, and leaves nothing behind. */
async function assertWholeLife(place: Place): Promise<void> {
  const { dir } = place.workspace;
  await using daemon = await DaemonProcess.start(dir);
  assert.equal((await daemon.client.status())["mode"], "normal");
  const { value } = await daemon.client.call({ skill: "area1", input: INPUT });
  assert.equal(value, WRONG);
  assert.equal(await daemon.stop(), 0);
  assert.deepEqual(await survivors([daemon.pid], 5_000), []);
  assertSound(place, { recovered: true });
  const run = path.join(dir, "data/run");
  for (const name of ["hone.pid", "hone.sock"]) assert.ok(!existsSync(path.join(run, name)), name);
  const { open, crashes, safe } = JSON.parse(
    readFileSync(path.join(run, "life.json"), "utf8"),
  ) as Record<string, unknown[] | null>;
  assert.deepEqual([open, safe], [null, null]);
  assert.ok((crashes?.length ?? 0) <= 1);
}
