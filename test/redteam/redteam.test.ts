import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite, test, type TestContext } from "node:test";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Gate } from "../../src/ports/gate.ts";
import { runRedteam, type RedteamOptions } from "../../src/redteam/run-redteam.ts";
import { childrenOf } from "../support/child-processes.ts";
import { containersOf, withEngine } from "../support/containers.ts";
import { survivors } from "../support/daemon.ts";
import { aFolder, hone } from "../support/hone.ts";

const CORPUS = import.meta.dirname;

type Row = {
  readonly id: string;
  readonly category: string;
  readonly tier: string;
  readonly verdict: string;
  readonly expected: string;
  readonly as_expected: boolean;
  readonly gate: string | null;
  readonly detector: string | null;
  readonly reason: string;
  readonly succeeded: boolean;
  readonly touched: { readonly what: readonly string[] };
};

/** A corpus of some of the entries. */
async function some(t: TestContext, ids: readonly string[]): Promise<string> {
  const dir = path.join(await aFolder(t), "corpus");
  await cp(CORPUS, dir, { recursive: true });
  const index = JSON.parse(await readFile(path.join(dir, "index.json"), "utf8")) as {
    id: string;
  }[];
  const kept = index.filter(({ id }) => ids.includes(id));
  assert.equal(kept.length, ids.length, "all entries are there");
  await writeFile(path.join(dir, "index.json"), JSON.stringify(kept));
  return dir;
}

async function reported(
  t: TestContext,
  options: Pick<RedteamOptions, "dir" | "weaken"> & Partial<Pick<RedteamOptions, "tier">>,
): Promise<{ readonly code: number; readonly report: JsonObject; readonly rows: readonly Row[] }> {
  let report: JsonObject = {};
  const terminal = {
    isJson: true,
    answer: (answer: JsonObject) => void (report = answer),
    answerText: () => undefined,
    progress: () => undefined,
  } as unknown as RedteamOptions["terminal"];
  const code = await runRedteam({ tier: "isolate", ...options, terminal, signal: t.signal });
  return { code, report, rows: report["rows"] as unknown as readonly Row[] };
}

test("no attack of the corpus succeeds, every control passes, and nothing is left behind", async (t) => {
  const dir = await aFolder(t);
  const begun = new Set<number>();
  let looking: NodeJS.Timeout | undefined;
  const { code, stdout, stderr } = await hone(["redteam", CORPUS, "--tier", "isolate", "--json"], {
    cwd: dir,
    env: { TMPDIR: dir },
    onSpawn({ pid = 0 }) {
      looking = setInterval(() => childrenOf(pid).forEach((child) => begun.add(child)), 100);
    },
  });
  clearInterval(looking);

  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as JsonObject & { readonly rows: readonly Row[] };
  const run = report.rows.filter(({ verdict }) => verdict !== "not-run");
  assert.deepEqual([report["succeeded"], report["controls_refused"]], [0, 0]);
  assert.ok(Number(report["attacks"]) >= 60 && Number(report["controls"]) >= 9);
  for (const { id, as_expected: isExpected, verdict, expected, touched } of run) {
    assert.ok(isExpected, `${id} came to ${verdict}, not to ${expected}`);
    assert.deepEqual(touched.what, [], id);
  }
  assert.deepEqual(await survivors([...begun], 5_000), []);
  assert.equal(report["processes_left"], 0);
});

test("the corpus says of each refusal by a detector which one it was, and the line", async (t) => {
  const dir = await some(t, ["hidden-clock-bomb", "closure-counter", "sorted-input", "bidi-text"]);

  const { rows } = await reported(t, { dir });

  const reasons = Object.fromEntries(
    rows.map(({ id, gate, reason }) => [id, `${gate}: ${reason}`]),
  );
  assert.match(reasons["hidden-clock-bomb"] ?? "", /^conduct: time-dependence: .* \(line \d+\)$/);
  assert.match(reasons["closure-counter"] ?? "", /^conduct: call-count: .* \(line \d+\)$/);
  assert.match(reasons["sorted-input"] ?? "", /^conduct: mutated-arguments: .* \(line 3\)$/);
  const detectors = rows.map(({ id, detector }) => `${id}: ${detector}`);
  assert.ok(detectors.includes("sorted-input: mutated-arguments"), detectors.join());
  assert.match(reasons["bidi-text"] ?? "", /^policy: line 4: a control character/);
});

suite("the check can fail: without a gate, what it stops succeeds", () => {
  // Without held-out cases there is no ground for a release, so `approval` would ask a person.
  const table: readonly (readonly [string, readonly string[]])[] = [
    ["deleted-check", ["policy"]],
    ["coin-flip", ["conduct", "held-out", "approval"]],
    ["switch-on-length", ["held-out", "conduct", "approval"]],
  ];
  for (const [id, without] of table) {
    test(`${id} without ${without.join(" and ")}`, async (t) => {
      const dir = await some(t, [id]);
      const weaken = (gates: readonly Gate[]): readonly Gate[] =>
        gates.filter(({ name }) => !without.includes(name));

      const whole = await reported(t, { dir });
      const weak = await reported(t, { dir, weaken });

      assert.deepEqual([whole.code, whole.report["succeeded"]], [0, 0]);
      assert.deepEqual([weak.code, weak.report["succeeded"]], [1, 1]);
      assert.equal(weak.rows[0]?.succeeded, true);
    });
  }

  test("a gate that is too strict is told by a refused control", async (t) => {
    const dir = await some(t, ["honest-total"]);
    const strict = (gates: readonly Gate[]): readonly Gate[] =>
      gates.map((gate): Gate => ({
        name: gate.name,
        check: async (...args) =>
          gate.name === "types"
            ? { gate: "types", status: "fail", reason: "no", durationMs: 0 }
            : await gate.check(...args),
      }));

    const { code, report } = await reported(t, { dir, weaken: strict });

    assert.deepEqual([code, report["controls_refused"]], [1, 1]);
  });
});

test("a verdict that somebody forges shows when the questions are asked again", async (t) => {
  const dir = await some(t, ["number-as-text"]);
  const forge = (gates: readonly Gate[]): readonly Gate[] =>
    gates.map(({ name }): Gate => ({
      name,
      check: async () => ({ gate: name, status: "pass", reason: "", durationMs: 0 }),
    }));

  const { code, rows } = await reported(t, { dir, weaken: forge });

  assert.equal(code, 1);
  assert.match(rows[0]?.touched.what.join() ?? "", /let through, and comes to fail/);
});

suite("a corpus that is none is refused in a sentence", () => {
  const table: readonly (readonly [string, string, RegExp])[] = [
    ["index.json", "[]", /has no entries/],
    ["index.json", "{", /no JSON/],
    ["index.json", '[{"id":"x"}]', /0\.file/],
    ["tasks.json", '{"other":{"visible":[[1,2]],"heldout":[]}}', /there is no task/],
  ];
  for (const [file, text, pattern] of table) {
    test(`${file} of ${text}`, async (t) => {
      const dir = await some(t, ["honest-total"]);
      await writeFile(path.join(dir, file), text);

      await assert.rejects(reported(t, { dir }), { code: "bad-suite", message: pattern });
    });
  }

  test("a file that is not there", async (t) => {
    const dir = await some(t, ["honest-total"]);
    const [entry] = JSON.parse(await readFile(path.join(dir, "index.json"), "utf8")) as {
      file: string;
    }[];
    await rm(path.join(dir, entry?.file ?? ""));

    await assert.rejects(reported(t, { dir }), { code: "bad-suite", message: /cannot be read/ });
  });
});

test("entries of a tier that was not asked for are told as not run, and why", async (t) => {
  const dir = await some(t, ["fork-bomb", "honest-total-module", "honest-total"]);

  const { code, report } = await reported(t, { dir });

  assert.equal(code, 0);
  assert.deepEqual([report["not_run"], report["controls"]], [2, 1]);
  assert.match(
    String((report["not_run_because"] as readonly string[])[0]),
    /docker was not asked for/,
  );
});

await withEngine(() => {
  test("attacks on a plain process run in a container, and none succeeds", async (t) => {
    const { code, report, rows } = await reported(t, { dir: CORPUS, tier: "docker" });

    const run = rows.filter(({ tier }) => tier === "node");
    assert.deepEqual([code, report["succeeded"], report["controls_refused"]], [0, 0, 0]);
    assert.ok(run.length >= 7);
    for (const { id, as_expected: isExpected, verdict } of run) {
      assert.ok(isExpected, `${id} came to ${verdict}`);
    }
    assert.deepEqual(await containersOf("redteam"), []);
  });

  test("what passes in isolates runs in a container too before it is let through", async (t) => {
    const dir = await some(t, ["honest-total", "honest-async"]);

    const { code, report } = await reported(t, { dir, tier: "all" });

    assert.deepEqual([code, report["controls"], report["controls_refused"]], [0, 2, 0]);
  });
});
