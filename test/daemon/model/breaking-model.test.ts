import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { breaking } from "../../../src/daemon/model/breaking-model.ts";
import type { Completion } from "../../../src/domain/completion.ts";
import type { ModelState, WatchedModel } from "../../../src/ports/model.ts";
import { aRequest } from "../../support/models.ts";
import { ScriptedModel } from "../../support/scripted-model.ts";

type Said = Partial<Completion> | string;

const DOWN = { status: "unreachable", reason: "connection refused" } as const;
const READY: ModelState = { status: "ready", endpoint: "", model: "m" };
const GONE: ModelState = { status: "llm_unreachable", reason: "nobody there" };
const SIGNAL = new AbortController().signal;

/** A breaker around a model that says what it is told to, on a clock of the test's. */
class Scene {
  says: (index: number) => Said | Promise<Said> = () => "answer";
  found: ModelState = READY;
  hasCard = true;
  now = 0;
  readonly told: string[] = [];
  readonly scripted = new ScriptedModel((_, index) => this.says(index));
  readonly model: WatchedModel = breaking(this.#watched(), {
    now: () => this.now,
    tell: (kind, { pauseMs }) => this.told.push(`${kind} ${pauseMs}`),
  });

  #watched(): WatchedModel {
    const { scripted } = this;
    const card = async () => (this.hasCard ? await scripted.card() : null);
    return {
      card,
      state: async () => this.found,
      complete: async (request, signal) => await scripted.complete(request, signal),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  get sent(): number {
    return this.scripted.asked.length;
  }

  /** Statuses of so many requests at once. */
  async ask(count = 1): Promise<readonly string[]> {
    const all = Array.from({ length: count }, () => this.model.complete(aRequest(), SIGNAL));
    return (await Promise.all(all)).map(({ status }) => status);
  }

  async breakDown(): Promise<void> {
    this.says = () => DOWN;
    await this.ask(3);
  }
}

suite("a model that does not answer (B5, T11)", () => {
  test("is let be after three requests in a row, and nothing is sent", async () => {
    const scene = new Scene();
    await scene.breakDown();

    const refused = await scene.model.complete(aRequest(), SIGNAL);

    assert.equal(scene.sent, 3);
    assert.equal(refused.status, "unreachable");
    assert.match(
      "reason" in refused ? refused.reason : "",
      /asked again in 1 s: connection refused/,
    );
    assert.equal(await scene.model.card(SIGNAL), null);
    assert.deepEqual(scene.told, ["model.unreachable 1000"]);
  });

  test("is not let be for single failures, nor for what it refused or did not finish", async () => {
    const scene = new Scene();
    const answers: readonly Said[] = [
      DOWN,
      DOWN,
      { status: "rejected", reason: "too long" },
      DOWN,
      DOWN,
      { status: "cut-off" },
      DOWN,
      DOWN,
      { status: "over-budget", reason: "" },
    ];
    scene.says = (index) => answers[index] ?? "";

    for (const _ of answers) await scene.ask();

    assert.equal(scene.sent, answers.length);
    assert.deepEqual(scene.told, []);
  });

  test("is not let be where it says itself how long it wants nothing", async () => {
    const scene = new Scene();
    scene.says = () => ({ ...DOWN, retryAfterMs: 500 });

    await scene.ask(5);

    assert.equal(scene.sent, 5);
    assert.deepEqual(scene.told, []);
  });

  test("is tried by one request alone when the pause is over, and the pauses grow", async () => {
    const scene = new Scene();
    await scene.breakDown();

    for (const at of [1_000, 3_000, 7_000]) {
      scene.now = at;
      assert.deepEqual(await scene.ask(8), Array(8).fill("unreachable"));
    }

    assert.equal(scene.sent, 3 + 3);
    assert.deepEqual(
      scene.told.map((line) => Number(line.split(" ")[1])),
      [1_000, 2_000, 4_000, 8_000],
    );
  });

  test("has pauses of ten minutes at most", async () => {
    const scene = new Scene();
    await scene.breakDown();
    for (let time = 0; time < 15; time += 1) {
      scene.now += 600_000;
      await scene.ask();
    }

    assert.equal(scene.told.at(-1), "model.unreachable 600000");
  });

  test("recovers by itself: the others wait for the one that tries, and go", async () => {
    const scene = new Scene();
    await scene.breakDown();
    scene.now = 1_000;
    const { promise, resolve } = Promise.withResolvers<Said>();
    scene.says = (index) => (index === 3 ? promise : "answer");

    const asked = scene.ask(8);
    await new Promise((go) => setImmediate(go));
    assert.equal(scene.sent, 4, "one is on its way");
    resolve("answer");

    assert.deepEqual(await asked, Array(8).fill("complete"));
    assert.equal(scene.told.at(-1), "model.answers 0");
    scene.says = () => DOWN;
    assert.deepEqual(await scene.ask(2), ["unreachable", "unreachable"]);
    assert.equal(scene.sent, 13, "it is as new");
  });

  test("leaves the trial to the next where the one who tries gives up", async () => {
    const scene = new Scene();
    await scene.breakDown();
    scene.now = 1_000;
    scene.says = (index) => (index === 3 ? new Promise<Said>(() => undefined) : "answer");
    const giving = new AbortController();
    const first = scene.model.complete(aRequest(), giving.signal);
    const second = scene.model.complete(aRequest(), SIGNAL);
    const third = new AbortController();
    const waiting = scene.model.complete(aRequest(), third.signal);
    third.abort(new Error("waited enough"));
    await assert.rejects(waiting, /waited enough/);

    giving.abort(new Error("enough"));

    await assert.rejects(first, /enough/);
    assert.equal((await second).status, "complete");
  });

  test("is asked at once when its endpoint was gone and is back, a few times", async () => {
    const scene = new Scene();
    scene.hasCard = false;
    for (let time = 0; time < 3; time += 1) await scene.model.card(SIGNAL);
    scene.found = GONE;
    assert.equal((await scene.model.state(SIGNAL)).status, "llm_unreachable");
    scene.found = READY;
    scene.hasCard = true;
    scene.says = () => DOWN;

    for (let comeback = 0; comeback < 5; comeback += 1) {
      scene.found = GONE;
      await scene.model.state(SIGNAL);
      scene.found = READY;
      await scene.model.state(SIGNAL);
      await scene.ask();
    }

    assert.equal(scene.sent, 3, "whoever comes back and fails each time is believed no more");
    scene.now = 1e9;
    scene.says = () => "answer";
    assert.deepEqual(await scene.ask(), ["complete"]);
  });

  test("is `llm_unreachable` in the status though its door answers, until it answers itself", async () => {
    const scene = new Scene();
    await scene.breakDown();

    const state = await scene.model.state(SIGNAL);
    assert.equal(state.status, "llm_unreachable");
    assert.match("reason" in state ? state.reason : "", /in 1 s: connection refused/);
    scene.now = 5_000;
    assert.equal((await scene.model.state(SIGNAL)).status, "llm_unreachable");
    scene.says = () => "answer";
    await scene.ask();
    assert.equal((await scene.model.state(SIGNAL)).status, "ready");
  });
});
