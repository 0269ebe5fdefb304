import assert from "node:assert/strict";
import { test } from "node:test";
import { withEngine } from "../support/containers.ts";
import { BAD_ORDER, GOOD_ORDER, orderMachine } from "../support/order-machine.ts";
import { aWorkspace } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

test("a machine runs by events, and calls skills for guards, actions and what it invokes", async (t) => {
  const workspace = await aWorkspace(t, orderMachine(GOOD_ORDER));
  await using hone = await workspace.open();
  const { operations } = hone;
  const order = async (input: object, types: readonly string[] = []): Promise<unknown> => {
    const events = types.map((type) => ({ type }));
    const answer = await operations.call({ skill: "order", input: { input, events } as never });
    return (answer["value"] as Row | undefined)?.["state"] ?? answer;
  };

  assert.equal(await order({ amount: 5 }), "paid");
  assert.equal(await order({ amount: 500 }), "review");
  assert.equal(await order({ amount: 500 }, ["APPROVE"]), "paid");
  assert.equal(await order({ amount: 500 }, ["REJECT"]), "rejected");
  assert.equal(await order({ amount: -5 }), "failed");
  assert.equal((await operations.test({ name: "order" }))["failed"], 0);
});

test("a machine that falls short becomes a proven release, and a rollback takes it back", async (t) => {
  const workspace = await aWorkspace(t, orderMachine(BAD_ORDER));
  await using hone = await workspace.open();
  const { operations } = hone;
  const before = workspace.git("rev-parse", "hone");
  const missed = {
    skill: "order",
    input: { input: { amount: 300 }, events: [{ type: "REJECT" }] },
    expect: { state: "rejected", done: true, output: null, context: { tries: 0, amount: 300 } },
  };

  const first = await operations.call(missed);
  const improved = await operations.improve({ skill: "order" });

  assert.equal((first["value"] as Row)["state"], "paid");
  assert.equal(improved["result"], "released", JSON.stringify(improved, null, 1));
  const again = await operations.call(missed);
  assert.deepEqual(
    [(again["value"] as Row)["state"], again["version"]],
    ["rejected", improved["commit"]],
  );
  assert.match(workspace.show("hone", "skills/order/machine.ts"), /REJECT: "rejected"/);
  assert.equal(
    workspace.git("diff", "--name-only", before, "hone"),
    "skills/order/cases.jsonl\nskills/order/machine.ts",
  );
  assert.equal((await operations.verify({ commit: String(improved["commit"]) }))["result"], "same");

  await operations.rollback({ skill: "order", by: "Ann" });

  assert.equal(workspace.show("hone", "skills/order/machine.ts"), BAD_ORDER);
  assert.equal(((await operations.call(missed))["value"] as Row)["state"], "paid");
});

await withEngine(() => {
  test("a machine runs in a container as it does in an isolate", async (t) => {
    const workspace = await aWorkspace(t, orderMachine(BAD_ORDER));
    await using hone = await workspace.open({ docker: "required" });
    const input = { input: { amount: 300 }, events: [{ type: "REJECT" }] };
    const expect = {
      state: "rejected",
      done: true,
      output: null,
      context: { tries: 0, amount: 300 },
    };
    await hone.operations.call({ skill: "order", input, expect });

    const { result, commit } = await hone.operations.improve({ skill: "order" });

    assert.equal(result, "released");
    const message = workspace.git("show", "--no-patch", "--format=%B", String(commit));
    assert.match(message, /docker=pass/);
  });
});

test("a person's machine that is not sound is not taken in, and the reason names state and line", async (t) => {
  const workspace = await aWorkspace(t, orderMachine(GOOD_ORDER));
  await using hone = await workspace.open({}, "command");
  const broken = GOOD_ORDER.replace('onError: "failed",', "");
  workspace.commit({ "skills/order/machine.ts": broken });

  const { problems } = (await hone.operations.status()) as { problems: string[] };
  await hone.operations.improve({ skill: "order" });
  const told = ((await hone.operations.status()) as { problems: string[] }).problems.join("\n");

  assert.deepEqual(problems, []);
  assert.match(told, /machine\.ts:11: state "paying": an error of pay is not handled \(onError\)/);
});
