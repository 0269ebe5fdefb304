import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import type { Outcome, Request } from "../../src/domain/trace.ts";
import type { CapabilityHost, Sandbox, Sifted, Sifting } from "../../src/ports/sandbox.ts";
import { aCall, answeringHost, execute, anExecution, LIMITS, NOW } from "../support/executions.ts";

/** What every sandbox that sifts does, by `Sandbox.sift` of `src/ports/sandbox.ts`. */
export function siftContract(sandbox: Sandbox): void {
  test("a sift says of each variant what an execution of it says", async () => {
    const bodies = [
      "return x + 1",
      "throw new RangeError('no')",
      "return (await ctx.kv.get('a')) + x",
      "return await Promise.all([ctx.kv.get('a'), ctx.kv.get('b'), ctx.clock.sleep(5)])",
      "for (let n = 0; n < 3; n += 1) x += await ctx.kv.get('k' + x); return [x, ctx.clock.now()]",
      "await new Promise(() => {})",
      "void Promise.reject(new TypeError('late')); return 1",
      "void (async () => { await null; await ctx.kv.get('later'); })(); return x",
      "return () => 1",
      "setTimeout(() => { throw new Error('in a timer') }, 5); await ctx.clock.sleep(10)",
      "return x",
    ];
    const hostOf = (): CapabilityHost => answeringHost(answerTo);

    const sifted = await sift(sandbox, bodies, { inputs: [[1], [20]], hostOf });

    const alone: Outcome[] = [];
    for (const input of [1, 20]) {
      for (const body of bodies) {
        const text = `async function skill(x, ctx) { ${body} }`;
        const call = aCall({ args: [input], host: hostOf() });
        const [result] = await execute(sandbox, anExecution(text, { calls: [call] }));
        alone.push(result?.trace.outcome ?? assert.fail("an execution owes a result"));
      }
    }
    assert.deepEqual(outcomesIn(sifted).map(withoutPlaces), alone.map(withoutPlaces));
  });

  test("what variants ask is asked of a host once for each course of a call", async () => {
    const hosts: ReturnType<typeof answeringHost>[] = [];
    const hostOf = (): CapabilityHost => {
      const host = answeringHost(answerTo);
      hosts.push(host);
      return host;
    };
    const twice = "const a = await ctx.kv.get('a'); const b = await ctx.kv.get('b'); return ";

    const sifted = await sift(
      sandbox,
      [`${twice} a + b`, `${twice} a - b`, "return await ctx.kv.get('a')", `${twice} [a, b]`],
      { hostOf },
    );

    assert.deepEqual(valuesIn(sifted), [2, 0, 1, [1, 1]]);
    assert.deepEqual(
      hosts.map(({ seen }) => seen.map(keyOf)),
      [["a", "b"]],
    );
  });

  test("two courses part where the requests do, and each is told its own", async () => {
    const sifted = await sift(
      sandbox,
      ["a", "bb", "ccc", "bb"].map(
        (key) => `const first = await ctx.kv.get("same"); const key = first > 2 ? "${key}" : "";
          return [await ctx.kv.get(key), await ctx.kv.get("same"), ctx.clock.now()];`,
      ),
      { hostOf: () => answeringHost(answerTo) },
    );

    const now = NOW + 3_000;
    assert.deepEqual(
      valuesIn(sifted),
      [1, 2, 3, 2].map((size) => [size, 4, now]),
    );
  });

  test("a variant that never stops asking has timed out, and those behind it are run", async () => {
    const endless = "for (;;) await ctx.kv.get('a')";
    const ticking = "setInterval(() => {}, 5); await new Promise(() => {})";

    const sifted = await sift(sandbox, [endless, "return 1", ticking, "return 2"], {
      hostOf: () => answeringHost(answerTo),
    });

    const statuses = outcomesIn(sifted).map((outcome) => outcome?.status);
    assert.deepEqual(statuses, ["timed-out", "returned", "timed-out", "returned"]);
  });

  test("what a variant asked for is told where that is wanted, effects of its last turn too", async () => {
    const sifted = await sift(
      sandbox,
      ["return await ctx.kv.get('a')", "void ctx.kv.set('b', 1); return 1", "return 1"],
      { hostOf: () => answeringHost(answerTo), tellsAsked: true },
    );

    const asked = sifted.of.map((at) => sifted.asked[at]?.map((turn) => turn.map(keyOf)));
    assert.deepEqual(asked, [[["a"]], [["b"]], []]);
    assert.deepEqual(valuesIn(sifted), [1, 1, 1]);
  });

  test("without a host, what asks for something is not known", async () => {
    const sifted = await sift(sandbox, ["return 1", "return await ctx.kv.get('a')"], {});

    assert.deepEqual(outcomesIn(sifted), [{ status: "returned", value: 1 }, null]);
  });

  test("a host that has nothing to say leaves a variant that waits unsettled", async () => {
    const host = { next: async () => ({ answers: [], now: NOW }) };

    const sifted = await sift(sandbox, ["return await ctx.kv.get('a')", "return 2"], {
      hostOf: () => host,
    });

    const statuses = outcomesIn(sifted).map((outcome) => outcome?.status);
    assert.deepEqual(statuses, ["never-settled", "returned"]);
  });
}

function answerTo(request: Request): Json {
  return request.kind === "timer" ? null : keyOf(request).length;
}

function keyOf({ args }: Request): string {
  return String((args as { readonly key?: string }).key);
}

/** Sifts bodies of one function of `x` and `ctx`, each a part of its own. */
async function sift(
  sandbox: Sandbox,
  bodies: readonly string[],
  {
    inputs = [[0]],
    hostOf,
    tellsAsked = false,
  }: {
    readonly inputs?: readonly (readonly Json[])[];
    readonly hostOf?: () => CapabilityHost;
    readonly tellsAsked?: boolean;
  },
): Promise<Sifted> {
  const parts = bodies.map(
    (body) =>
      `(function (variant, fuel, spent) { "use strict";
        async function skill(x, ctx) { ${body} } return [skill, () => fuel]; })`,
  );
  const sifting: Sifting = {
    program: { text: `[${parts.join(",")}]`, entry: "skill", strict: true, takesCtx: true },
    seats: bodies.map((_, part) => [part, 0]),
    calls: inputs.map((args) => {
      const { grants, environment } = aCall();
      return { args, grants, environment, ...(hostOf === undefined ? {} : { makeHost: hostOf }) };
    }),
    limits: LIMITS,
    fuel: 5_000,
    tellsAsked,
  };
  return (await sandbox.sift?.(sifting, new AbortController().signal)) ?? assert.fail();
}

function outcomesIn({ outcomes, of }: Sifted): readonly (Outcome | null)[] {
  return of.map((at) => outcomes[at] ?? null);
}

function valuesIn(sifted: Sifted): readonly unknown[] {
  return outcomesIn(sifted).map((outcome) =>
    outcome?.status === "returned" ? outcome.value : outcome?.status,
  );
}

/** A sift does not tell where an error came from. */
function withoutPlaces(outcome: Outcome | null): unknown {
  return outcome !== null && "error" in outcome
    ? { ...outcome, error: { ...outcome.error, frames: [] } }
    : outcome;
}
