import assert from "node:assert/strict";
import { follow } from "../../src/daemon/follow.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { takeBack } from "../../src/watching.ts";
import { TestWorkspace } from "../support/workspace.ts";
import { struck, struckAfter } from "./struck.ts";

/**
 * A hone that dies at one step: `node dying.ts <dir> <operation> <step>`. A step is `before` or
 * `after` a verb of a port, as `after store.addRun`, or `git`, where the plan of the workspace takes
 * hone with it. It ends with exit code 3 where it came through alive.
 */
const OPERATIONS: Readonly<Record<string, (hone: OpenWorkspace) => Promise<unknown>>> = {
  async release(hone) {
    const [incident] = hone.house.store.incidents({ limit: 1 });
    assert.ok(incident !== undefined);
    return await improveOne({ incident, failing: null, isAsked: true }, hone);
  },
  async rollback(hone) {
    const [made] = hone.house.store.releases({ limit: 1 });
    assert.ok(made !== undefined);
    return await takeBack(made, { reason: "did worse", by: "hone" }, hone.house);
  },
  follow: async (hone) => await follow(hone),
  queue: async (hone) => await hone.queued.listener(),
};

const [, , dir = "", operation = "", step = ""] = process.argv;
const hone = await new TestWorkspace(dir).open();
dieAt(step, hone);
await OPERATIONS[operation]?.(hone);
process.exit(3);

function dieAt(where: string, { house }: OpenWorkspace): void {
  const [when, what = ""] = where.split(" ");
  if (when === "git") return;
  const [port = "", verb = ""] = what.split(".");
  const ports = { ...house } as unknown as Record<string, object>;
  const at = when === "before" ? struck : struckAfter;
  at(ports[port] ?? {}, verb as never, () => process.kill(process.pid, "SIGKILL"));
}
