import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Settled } from "../../src/records.ts";
import { modelServer, type Asked, type ModelServer, type Reply } from "../support/model-server.ts";
import { assertSentence, assertSound, countsOf } from "./invariants.ts";
import { assertRepaired } from "./improvement.ts";
import { aSiteFolder, atTheEnd, Site } from "./site.ts";

/** What befalls an answer, by the number of the request since the fault began. */
export type Fate = (at: number) => Reply | null;

/** A site that a model alone repairs, and the server that it asks. */
class ModelSite implements AsyncDisposable {
  readonly site: Site;
  readonly #port: number;
  #server: ModelServer | null;
  #fate: Fate = () => null;
  #since = 0;

  constructor(site: Site, server: ModelServer, port: number) {
    this.site = site;
    this.#server = server;
    this.#port = port;
  }

  static async begin(): Promise<ModelSite> {
    const { workspace, person } = await aSiteFolder(atTheEnd, { skills: SKILLS });
    let made: ModelSite | null = null;
    const answers = (asked: Asked): Reply | string => made?.answer(asked) ?? rightFor(asked);
    const server = await modelServer({ answers });
    const model = { url: server.url, samples: 3, timeoutMs: 700, groupMs: 4_000 };
    const hone = await workspace.open({ proposers: ["model"], model });
    const site = new Site(workspace, person, hone);
    made = new ModelSite(site, server, Number(new URL(server.url).port));
    return made;
  }

  answer(asked: Asked): Reply | string {
    this.#since += 1;
    return this.#fate(this.#since - 1) ?? rightFor(asked);
  }

  strike(fate: Fate): void {
    this.#fate = fate;
    this.#since = 0;
  }

  async close(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = null;
  }

  async mend(): Promise<void> {
    this.#fate = () => null;
    const answers = (asked: Asked): Reply | string => this.answer(asked);
    this.#server ??= await modelServer({ port: this.#port, answers });
  }

  /** Requests to the model that the ledger has counted. */
  counted(): number {
    const { store, now } = this.site.hone.house;
    return store.modelCost({ incident: null, now: now() }).day.requests;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]();
    await this.close();
  }
}

/** Skills with one fault each, one for each row. */
const SKILLS = 20;

let shared: Promise<ModelSite> | null = null;

/** The site that the faults of the file share. */
export async function theModelSite(): Promise<ModelSite> {
  shared ??= (async () => {
    const made = await ModelSite.begin();
    atTheEnd.after(async () => await made[Symbol.asyncDispose]());
    return made;
  })();
  return await shared;
}

/** The patch that is right, for the skill that a prompt is about. */
export function rightFor({ messages }: Asked): string {
  const prompt = messages.map(({ content }) => content).join("\n");
  const [, target = ""] = /export function (area\d+)/.exec(prompt) ?? [];
  const edits = [{ op: "body", target, code: "return width * height;" }];
  return JSON.stringify({ reason: "it adds where it has to multiply", edits });
}

/**
 * An improvement while the model fails: nothing is released, scored, rejected or half done, the
 * incident waits by a name that says why, and once the model is well again it is repaired without a
 * restart.
 */
export async function modelFails(
  strike: (scene: ModelSite) => Promise<void> | void,
): Promise<void> {
  const scene = await theModelSite();
  const { site } = scene;
  const { store } = site.hone.house;
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const { groups: _, ...before } = countsOf(site.workspace);
  await strike(scene);

  const first = await site.improve(incident);

  assert.equal(first.result, "infra-error", first.reason);
  assert.match(first.reason, /llm_unreachable/);
  assertSentence(first.reason);
  const { groups: __, ...after } = countsOf(site.workspace);
  assert.deepEqual(after, before, "nothing was released, rolled back or scored");
  const { state, rejections, note } = store.incident(incident.id) ?? {};
  assert.deepEqual([state, rejections, note], ["open", 0, first.reason]);
  assertSound(site, { recovered: true });
  await scene.mend();
  const second = await improvedAtLast(site, incident);
  assert.equal(second.result, "released", second.reason);
  await assertRepaired(site, skill);
}

/** Tries again while the model is let be. */
export async function improvedAtLast(
  site: Site,
  incident: Parameters<Site["improve"]>[0],
): Promise<Settled> {
  for (let time = 0; ; time += 1) {
    const settled = await site.improve(incident);
    if (settled.result !== "infra-error" || time > 60) return settled;
    await pause(250);
  }
}
