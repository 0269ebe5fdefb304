import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { openStore } from "../../src/adapters/sqlite/sqlite-store.ts";
import { HoneError } from "../../src/domain/errors.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { budgeted } from "../../src/daemon/model/budgeted-model.ts";
import { aRequest } from "../support/models.ts";
import { ScriptedModel } from "../support/scripted-model.ts";
import { temporaryFolder } from "../support/ledger.ts";
import type { Reply } from "../support/model-server.ts";
import { inject, type Fault } from "./fault.ts";
import { assertRepaired } from "./improvement.ts";
import { assertSound } from "./invariants.ts";
import { modelFails, theModelSite } from "./model-struck.ts";

const never = new Promise<void>(() => undefined);

/** What a model's server may do in the place of an answer. */
const FATES: Readonly<Record<string, { readonly strikes: string; readonly reply: Reply }>> = {
  "hangs before its answer": { strikes: "the first byte", reply: { until: never } },
  "hangs in the middle of its answer": { strikes: "a later byte", reply: { pauseMidway: never } },
  "dies before its answer": { strikes: "the first byte", reply: { drop: "before" } },
  "dies in the middle of its answer": { strikes: "a later byte", reply: { drop: "midway" } },
  "answers 500": { strikes: "the status", reply: { status: 500, body: "CUDA out of memory" } },
  "answers 503": { strikes: "the status", reply: { status: 503, body: "overloaded" } },
  "wants no request for two seconds": {
    strikes: "the status",
    reply: { status: 429, headers: { "retry-after": "2" }, body: "slow down" },
  },
  "refuses the key": { strikes: "the status", reply: { status: 401, body: "invalid key" } },
  "answers without end": { strikes: "the last byte", reply: { endless: "x".repeat(10_000) } },
};

const answers: readonly Fault[] = Object.entries(FATES).map(([what, { strikes, reply }]) => ({
  name: `the model's server ${what}`,
  strikes: `propose: an answer of the model, ${strikes}`,
  holds: async () => await modelFails((scene) => scene.strike(() => reply)),
}));

export const faults = inject(import.meta.main, {
  kind: "model",
  faults: [
    ...answers,
    {
      name: "nobody listens where the model's server was",
      strikes: "propose: the connection",
      holds: async () => await modelFails((scene) => scene.close()),
    },
    {
      name: "the model's server dies after its first answer, and that answer is used (B7)",
      strikes: "propose: the second answer",
      holds: firstAnswerIsUsed,
    },
    {
      name: "the ledger is full when a lesson is noted, and the repair is released all the same",
      strikes: "after the group: addPulls",
      holds: lessonIsLost,
    },
    {
      name: "hone is killed while the model is at work, and what it may cost stays counted (B10, T12)",
      strikes: "budget: between the reservation and the answer",
      holds: killedAtWork,
    },
  ],
});

/** One sample of three came back: it is judged as ever, and what was asked for is counted. */
async function firstAnswerIsUsed(): Promise<void> {
  const scene = await theModelSite();
  const { site } = scene;
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const before = scene.counted();
  scene.strike((at) => (at === 0 ? null : { drop: "before" }));

  const settled = await site.improve(incident);

  const kept = site.hone.house.store.candidates({ limit: 1 })[0];
  assert.equal(kept?.candidate.incidentId, incident.id, "what came back is in the ledger");
  assert.ok(["released", "waiting-approval"].includes(settled.result), settled.reason);
  assert.equal(scene.counted() - before, 3);
  assertSound(site, { recovered: true });
  await scene.mend();
  if (settled.result === "released") await assertRepaired(site, skill);
}

/** What is learnt is worth less than what is repaired. */
async function lessonIsLost(): Promise<void> {
  const scene = await theModelSite();
  const { site } = scene;
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const edits = [{ op: "body", target: skill, code: "return width - height;" }];
  const wrong = { text: JSON.stringify({ reason: "it subtracts", edits }) };
  scene.strike((at) => (at === 0 ? wrong : null));
  let noted = 0;
  const addPulls = (): void => {
    noted += 1;
    throw new HoneError("store-failed", "the disk is full", { hint: "Make room." });
  };
  const { house } = site.hone;
  const full = { ...site.hone, house: { ...house, store: { ...house.store, addPulls } } };

  const settled = await improveOne({ incident, failing: null, isAsked: true }, full);

  assert.deepEqual([settled.result, noted], ["released", 1], settled.reason);
  await assertRepaired(site, skill);
}

/** A process that is killed by its own model, which it has asked three times at once. */
async function killedAtWork(t: Parameters<Fault["holds"]>[0]): Promise<void> {
  const file = path.join(temporaryFolder(t), "hone.db");
  const child = path.join(import.meta.dirname, "killed-at-work.ts");
  const { signal, stderr } = spawnSync(process.execPath, [child, file], { encoding: "utf8" });
  assert.equal(signal, "SIGKILL", stderr);

  using store = openStore(file);

  assert.equal(store.integrity(), "ok");
  const { day } = store.modelCost({ incident: null, now: Date.now() });
  assert.deepEqual([day.requests, day.tokens > 3 * 512, day.seconds], [3, true, 180]);
  const wide = { requests: 1_000, tokens: 1_000_000, seconds: 1_000 };
  const caps = { incident: wide, day: { ...wide, requests: 3 } };
  const scripted = new ScriptedModel(() => "answer");
  const state = async () => ({ status: "ready", endpoint: "", model: "" }) as const;
  const watched = Object.assign(scripted, { state });
  const model = budgeted(watched, { caps, ledger: store, now: Date.now, longestMs: () => 5_000 });
  const { status } = await model.complete(aRequest(), AbortSignal.timeout(5_000));
  assert.deepEqual([status, scripted.asked.length], ["over-budget", 0]);
}
