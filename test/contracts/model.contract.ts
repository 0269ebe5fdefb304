import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Completion } from "../../src/domain/completion.ts";
import type { Model } from "../../src/ports/model.ts";
import { aRequest } from "../support/models.ts";

export type ModelContract = {
  /** A model whose answers are longer than 20 tokens and whose context is 32,768 at most. */
  readonly make: () => Promise<Model>;
  /** A reason to skip all of it; null: none. */
  readonly skip?: string | null;
};

const NEVER = new AbortController().signal;

/** What every model does, by `src/ports/model.ts`. */
export function modelContract(name: string, { make, skip = null }: ModelContract): void {
  suite(`${name}: a model`, { skip: skip ?? false }, () => {
    let made: Promise<Model> | null = null;
    const shared = async (): Promise<Model> => await (made ??= make());
    after(async () => await (await made)?.[Symbol.asyncDispose]());

    cards(shared);
    completions(shared);
    signals(shared);
    closing(make);
  });
}

function cards(shared: () => Promise<Model>): void {
  test("has a card with what it can do, the same at each look", async () => {
    const model = await shared();

    const card = await model.card(NEVER);
    const again = await model.card(NEVER);

    assert.ok(card !== null);
    assert.ok(card.endpoint !== "" && card.model !== "" && card.server !== "");
    assert.ok(card.contextTokens >= 512, "whatever is asked has to fit somewhere");
    assert.ok(card.tokensPerCharacter > 0.05 && card.tokensPerCharacter < 1.5);
    assert.ok(card.parallel >= 1);
    assert.ok(card.degraded.every((sentence) => /[.)]$/.test(sentence)));
    assert.deepEqual({ ...again, probedAt: 0 }, { ...card, probedAt: 0 });
  });
}

function completions(shared: () => Promise<Model>): void {
  test("answers with a text, and counts tokens or says that they are not counted", async () => {
    const model = await shared();

    const completion = await model.complete(aRequest({ maxTokens: 64 }), NEVER);

    assert.ok("text" in completion, JSON.stringify(completion));
    assert.ok(completion.status === "complete" || completion.status === "cut-off");
    assert.ok(completion.text + completion.reasoning !== "");
    assert.ok(completion.usage === null || completion.usage.prompt > 0);
    assert.ok(completion.durationMs >= 0);
    assert.equal(completion.reason === "", completion.status === "complete");
  });

  test("says that an answer was cut off, with a reason (B84)", async () => {
    const model = await shared();

    const completion = await model.complete(aRequest({ maxTokens: 4 }), NEVER);

    assert.equal(completion.status, "cut-off");
    assert.match(completion.reason, /4 tokens/);
  });

  test("refuses a prompt that does not fit, with its size, instead of cutting it (B85)", async () => {
    const model = await shared();
    const content = "A sentence that is long. ".repeat(20_000);

    const completion = await model.complete(
      aRequest({ messages: [{ role: "user", content }] }),
      NEVER,
    );

    assert.equal(completion.status, "rejected");
    assert.match(completion.reason, /\d{5,6} tokens/);
  });

  test("takes several requests at once, and answers each", async () => {
    const model = await shared();

    const all = await Promise.all(
      [1, 2, 3, 4, 5].map(
        async (seed) => await model.complete(aRequest({ seed, maxTokens: 8 }), NEVER),
      ),
    );

    assert.deepEqual(all.map(isAnswer), [true, true, true, true, true]);
  });
}

function isAnswer(completion: Completion): boolean {
  return completion.status === "complete" || completion.status === "cut-off";
}

function signals(shared: () => Promise<Model>): void {
  test("rejects with the reason of a signal that is aborted already", async () => {
    const model = await shared();
    const reason = new Error("nobody waits");

    const completion = model.complete(aRequest(), AbortSignal.abort(reason));

    await assert.rejects(completion, reason);
  });

  test("rejects with the reason of a signal that is aborted in the middle, and goes on (B91)", async () => {
    const model = await shared();
    await model.card(NEVER);
    const leaving = new AbortController();
    const reason = new Error("the budget is spent");

    const completion = model.complete(aRequest({ maxTokens: 400 }), leaving.signal);
    leaving.abort(reason);

    await assert.rejects(completion, reason);
    assert.ok(isAnswer(await model.complete(aRequest({ maxTokens: 8 }), NEVER)));
  });
}

function closing(make: () => Promise<Model>): void {
  test("is unreachable once it is closed, and closing twice is as closing once", async () => {
    const model = await make();
    await model[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();

    const completion = await model.complete(aRequest(), NEVER);

    assert.equal(completion.status, "unreachable");
    assert.notEqual(completion.reason, "");
  });
}
