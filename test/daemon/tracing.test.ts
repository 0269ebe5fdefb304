import assert from "node:assert/strict";
import { test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import { areaSkill } from "../support/area-skill.ts";
import { SpanCollector, type Collected } from "../support/span-collector.ts";
import { aWorkspace } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

/** The names of a span and of those that it lies in, the outermost first. */
function wayTo(span: Collected, spans: readonly Collected[]): string {
  const parent = spans.find(({ id }) => id === span.parent);
  return parent === undefined ? span.name : `${wayTo(parent, spans)} > ${span.name}`;
}

test("a call and its repair are spans: task, run, reward; reflect, propose, verify with each gate, release", async (t) => {
  using collector = new SpanCollector();
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();

  await hone.operations.call(MISSED);
  const { result } = await hone.operations.improve({ skill: "area" });

  const { spans } = collector;
  const ways = new Set(spans.map((span) => wayTo(span, spans)));
  assert.equal(result, "released");
  for (const way of [
    "hone.call > hone.task > hone.run",
    "hone.call > hone.task > hone.reward",
    "hone.improve > hone.repair > hone.reflect",
    "hone.improve > hone.repair > hone.propose",
    "hone.improve > hone.repair > hone.verify > hone.gate parse",
    "hone.improve > hone.repair > hone.verify > hone.gate approval",
    "hone.improve > hone.repair > hone.release",
  ]) {
    assert.ok(ways.has(way), `${way} is none of\n${[...ways].join("\n")}`);
  }
  assert.deepEqual(
    spans.filter(({ ended }) => ended !== 1).map(({ name }) => name),
    [],
  );
  const reward = spans.find(({ name }) => name === "hone.reward");
  assert.deepEqual(
    [reward?.attributes["hone.skill"], reward?.attributes["hone.reward.score"]],
    ["area", 0],
  );
  const verified = spans.filter(({ name }) => name === "hone.verify");
  assert.equal(verified.at(-1)?.attributes["hone.verdict"], "pass");
});

test("a request that names its trace is part of it", async (t) => {
  using collector = new SpanCollector();
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

  await hone.tracing?.request(headers, async () => void (await hone.operations.call(MISSED)));

  const [first] = collector.spans;
  assert.deepEqual(
    [first?.name, first?.traceId, first?.parent],
    ["hone.call", traceId, "b7ad6b7169203331"],
  );
});

test("what fails says so by its code, and still ends", async (t) => {
  using collector = new SpanCollector();
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();

  await assert.rejects(hone.operations.call({ skill: "nobody", input: {} }), HoneError);

  const [span] = collector.spans;
  assert.deepEqual([span?.name, span?.status, span?.ended], ["hone.call", 2, 1]);
  assert.equal(span?.attributes["error.type"], "not-found");
});

test("where no SDK is registered nothing is wrapped", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();

  assert.equal(hone.tracing, null);
  assert.equal(hone.house.around, undefined);
});
