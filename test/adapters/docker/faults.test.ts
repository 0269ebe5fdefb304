import assert from "node:assert/strict";
import { test } from "node:test";
import { socketOf } from "../../../src/adapters/docker/socket.ts";
import type { Containers } from "../../../src/ports/containers.ts";
import { containersOf, someContainers, withEngine } from "../../support/containers.ts";
import { engineProxy, type EngineProxy, type Fate } from "../../support/engine-proxy.ts";
import { outcomeOf } from "../../support/executions.ts";

const RIGHT = { status: "returned", value: 2 };

/** Every call that an execution makes, in order. */
const STEPS = [
  "GET /version",
  "POST /containers/create",
  "POST /containers/ID/attach",
  "POST /containers/ID/wait",
  "POST /containers/ID/start",
  "DELETE /containers/ID",
  "GET /containers/json",
] as const;

await withEngine(() => {
  for (const step of STEPS) {
    for (const fate of ["refused", "cut"] as const) {
      for (const times of [1, Number.POSITIVE_INFINITY]) {
        const often = times === 1 ? "once" : "every time";
        test(`${step} is ${fate} ${often}: a right result or none, on it goes, and nothing is left`, async () => {
          const owner = `faults-${process.pid}-${STEPS.indexOf(step)}-${fate}-${times}`;
          await using proxy = await engineProxy(await socketOf({ socket: "", env: process.env }));
          await using containers = someContainers({ socket: proxy.socket, owner, warm: 1 });
          await containers.image();
          proxy.fate = breaking(step, fate, times);

          const broken = await resultIn(containers);
          proxy.fate = () => "passes";
          const next = await resultIn(containers);
          await containers[Symbol.asyncDispose]();

          assert.ok(
            broken === "sandbox-unavailable" || JSON.stringify(broken) === JSON.stringify(RIGHT),
          );
          assert.deepEqual(next, RIGHT);
          assert.deepEqual(await containersOf(owner), []);
        });
      }
    }
  }

  test("a stream that is cut in mid-run gives no verdict, or the verdict of a second run", async () => {
    const owner = `faults-${process.pid}-stream`;
    await using proxy = await engineProxy(await socketOf({ socket: "", env: process.env }));
    const containers = someContainers({ socket: proxy.socket, owner, warm: 0 });
    const cutting = {
      next: async (): Promise<never> => {
        await proxy[Symbol.asyncDispose]();
        return await new Promise(() => undefined);
      },
    };
    const text = "async function skill(ctx) { return await ctx.kv.get('k') }";

    const lost = await outcomeOf(containers.sandbox, text, { host: cutting }).catch(
      ({ code }: { code: string }) => code,
    );

    assert.equal(lost, "sandbox-unavailable");
    await containers[Symbol.asyncDispose]();
    await using next = someContainers({
      owner,
      notes: { note: () => "left", setNote: () => undefined },
    });
    await next.recover();
    assert.deepEqual(await containersOf(owner), []);
  });
});

function breaking(step: string, fate: Fate, times: number): EngineProxy["fate"] {
  let left = times;
  return (call) => {
    if (call !== step || left <= 0) return "passes";
    left -= 1;
    return fate;
  };
}

async function resultIn({ sandbox }: Containers): Promise<unknown> {
  return await outcomeOf(sandbox, "function skill(n) { return n + 1 }", { args: [1] }).catch(
    ({ code }: { code: string }) => code,
  );
}
