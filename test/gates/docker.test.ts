import assert from "node:assert/strict";
import { test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import type { Verdict } from "../../src/domain/gate.ts";
import { cascade } from "../../src/gates/cascade.ts";
import { dockerGate } from "../../src/gates/docker.ts";
import type { Containers, ContainersState } from "../../src/ports/containers.ts";
import {
  aCase,
  aDiagnosisOf,
  aSkill,
  candidateOf,
  judgedCase,
  patchedAs,
  scripted,
  type Script,
  scriptedEditor,
} from "../support/shop.ts";

const CASES = [aCase("a", 1), aCase("b", 2)];
const PATCHED = patchedAs("better", { cases: CASES });
const RIGHT: Script = (name) => ({ a: 1, b: 2 })[name] ?? 0;
const READY: ContainersState = { status: "ready", engine: "Docker 27", runc: "1.2.0", image: "x" };
const GONE: ContainersState = { status: "unavailable", reason: "nobody answers" };

function containersThat(
  inThem: Script | Error,
  { state = READY, mode = "required" }: { state?: ContainersState; mode?: Containers["mode"] } = {},
): Containers {
  const { sandbox } = scripted(inThem instanceof Error ? {} : { better: inThem });
  return {
    mode,
    sandbox: {
      ...sandbox,
      tier: "docker",
      execute: async (...args) => {
        if (inThem instanceof Error) throw inThem;
        return await sandbox.execute(...args);
      },
    },
    state: async () => state,
    image: async () => "sha256:abc",
    build: async () => "sha256:abc",
    warm: async () => undefined,
    recover: async () => undefined,
  };
}

async function verdictOf(
  containers: Containers,
  signal: AbortSignal,
  here: Script = RIGHT,
): Promise<Verdict> {
  const gate = dockerGate({ ...scripted({ better: here }), containers });
  const diagnosis = aDiagnosisOf(CASES.map((of, at) => judgedCase(of, at > 0)));
  const context = { skill: aSkill(), diagnosis, patched: PATCHED };
  return await gate.check(candidateOf(PATCHED), context, signal);
}

test("passes what comes out the same in a container, and says in which", async ({ signal }) => {
  const verdict = await verdictOf(containersThat(RIGHT), signal);

  assert.equal(verdict.status, "pass");
  assert.equal(verdict.reason, "2 cases come out the same in a container (Docker 27)");
  assert.deepEqual(verdict.container, { engine: "Docker 27", image: "sha256:abc" });
});

test("refuses what is right in an isolate and not in a container, and the other way round", async ({
  signal,
}) => {
  const wrong: Script = (name) => (name === "b" ? 9 : RIGHT(name, 0));

  const there = await verdictOf(containersThat(wrong), signal);
  const here = await verdictOf(containersThat(RIGHT), signal, wrong);

  assert.deepEqual([there.status, here.status], ["fail", "fail"]);
  assert.equal(there.reason, "b: returned 2 in an isolate, returned 9 in a container");
});

test("refuses two wrong answers that differ: walls tell no right from wrong, but same from other", async ({
  signal,
}) => {
  const verdict = await verdictOf(
    containersThat((name) => (name === "a" ? 8 : 2)),
    signal,
    (name) => (name === "a" ? 7 : 2),
  );

  assert.equal(verdict.status, "fail");
});

test("without an engine there is no verdict where one is required, and a pass that says so else", async ({
  signal,
}) => {
  const required = await verdictOf(containersThat(RIGHT, { state: GONE }), signal);
  const auto = await verdictOf(containersThat(RIGHT, { state: GONE, mode: "auto" }), signal);

  assert.deepEqual([required.status, required.container], ["infra-error", undefined]);
  assert.equal(required.reason, "sandbox-unavailable: nobody answers");
  assert.deepEqual([auto.status, auto.container], ["pass", null]);
});

test("an engine that goes away in the middle gives no verdict, required or not", async ({
  signal,
}) => {
  const lost = new HoneError("sandbox-unavailable", "the container engine is gone");

  for (const mode of ["required", "auto"] as const) {
    const verdict = await verdictOf(containersThat(lost, { mode }), signal);
    assert.equal(verdict.status, "infra-error");
    assert.equal(verdict.reason, "sandbox-unavailable: the container engine is gone");
  }
});

test("a container that is killed from outside in both runs gives no verdict; one that breaks is refused", async ({
  signal,
}) => {
  const ends = (how: string): Script => {
    return () => ({ status: "crashed", reason: `the guest process ended ${how}` });
  };

  const killed = await verdictOf(containersThat(ends("by SIGKILL")), signal);
  const stopped = await verdictOf(containersThat(ends("by SIGTERM")), signal);
  const broken = await verdictOf(containersThat(ends("with exit code 1")), signal);

  assert.deepEqual(
    [killed, stopped, broken].map(({ status }) => status),
    ["infra-error", "infra-error", "fail"],
  );
  assert.match(killed.reason, /1 in an isolate, .* by SIGKILL.* in a container/);
});

test("it comes after what costs less, and before a candidate is accepted or a person asked", () => {
  const ports = { ...scripted({}), editor: scriptedEditor({}) };
  const names = cascade(ports, {
    differential: { ...ports, passingRuns: () => [] },
    heldOut: { ...ports, heldOut: { cases: async () => [] }, minimum: 0, countLook: () => 1 },
    claims: null,
    takenBackBy: async () => null,
    containers: containersThat(RIGHT),
  }).map(({ name }) => name);

  assert.deepEqual(names.slice(-4), ["held-out", "docker", "acceptance", "approval"]);
});
