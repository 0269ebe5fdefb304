import assert from "node:assert/strict";
import test from "node:test";
import { createCapabilityHosts } from "../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../../src/adapters/morph/process-editor.ts";

const NO_KV = {
  kvGet: () => undefined,
  kvSet: () => undefined,
  kvDelete: () => undefined,
  kvList: () => [],
};

test("ctx arrives in its own place, whatever arguments are left out before it", async (t) => {
  await using editor = createEditor();
  await using sandbox = createIsolateSandbox({ warm: 1, most: 1 });
  const hosts = createCapabilityHosts({ store: NO_KV, now: Date.now });
  const text =
    "export function label(a: string, b = 'default', ctx: { random: () => number }): string {\n" +
    "  return `${a}:${b}:${typeof ctx.random}`;\n}\n";

  const inspected = await editor.inspect({ text, language: "ts", entry: null }, t.signal);
  assert.equal(inspected.status, "sound");
  if (inspected.status !== "sound") return;
  const [result] = await sandbox.execute(
    {
      program: inspected.program,
      calls: [
        {
          args: ["x"],
          grants: ["random"],
          environment: { now: 0, seed: 1 },
          host: hosts.table({}, { random: true }, "closed"),
        },
      ],
      limits: { timeoutMs: 1_000, memoryMb: 32, outputBytes: 1_000 },
      fresh: true,
    },
    t.signal,
  );

  assert.deepEqual(result?.trace.outcome, { status: "returned", value: "x:default:function" });
});
