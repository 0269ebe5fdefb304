import assert from "node:assert/strict";
import { chmodSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const VALUE = "k3y/of+the=house&more";

test("a secret reaches its server, and neither the skill, the ledger, the log nor git", async (t) => {
  const seen: (string | undefined)[] = [];
  await using server = await webServer((request, response) => {
    seen.push(request.headers["x-key"] as string | undefined);
    response.setHeader("x-echo", request.headers["x-key"] ?? "");
    response.end(JSON.stringify({ echo: request.headers["x-key"], size: 3 }));
  });
  const { host, origin } = server;
  const files = skillFiles("size", {
    source: `export async function size(ctx: any): Promise<unknown> {
  const answer = await ctx.fetch("${origin}/size", { headers: { "x-key": "guess" } });
  const told = await answer.json();
  ctx.log.info(JSON.stringify([told, answer.headers.get("x-echo"), Object.keys(ctx)]));
  if (told.size !== 4) throw new Error("not " + told.echo);
  return told;
}
`,
    cases: [],
    metadata: `  capabilities:\n    fetch: ["${host}"]\n    log: true\n    secrets: [{ name: HOUSE_KEY, host: "${host}", header: x-key }]`,
  });
  const workspace = await aWorkspace(t, files);
  workspace.write({ "secrets.env": `HOUSE_KEY=${VALUE}\n` });
  chmodSync(path.join(workspace.dir, "secrets.env"), 0o600);
  await using hone = await workspace.open({ secrets: { file: "secrets.env" } });

  const called = await hone.operations.call({ skill: "size", input: {} });
  const improved = await hone.operations
    .improve({ skill: "size" })
    .catch((error: unknown) => error);
  const told = [
    called,
    improved,
    await hone.operations.status(),
    await hone.operations.incidents({ all: true }),
    hone.house.store.runs({ skill: "size", heldOut: false, limit: 9 }),
    hone.house.store.events(0, 500),
  ];

  assert.ok(seen.length > 0 && seen.every((value) => value === VALUE), "the server was given it");
  assert.match(JSON.stringify(told), /not \[secret HOUSE_KEY\]/);
  assert.ok(!JSON.stringify(told).includes(VALUE));
  const kept = globSync(["data/**", ".git/**"], { cwd: workspace.dir })
    .map((file) => path.join(workspace.dir, file))
    .filter((file) => statSync(file).isFile());
  assert.ok(kept.length > 5);
  for (const file of kept) assert.ok(!readFileSync(file).includes(VALUE), file);
});

test("a file of secrets that others may read keeps the workspace closed, with a hint", async (t) => {
  const workspace = await aWorkspace(t, {});
  workspace.write({ "secrets.env": `HOUSE_KEY=${VALUE}\n` });
  chmodSync(path.join(workspace.dir, "secrets.env"), 0o644);

  await assert.rejects(workspace.open({ secrets: { file: "secrets.env" } }), {
    code: "bad-config",
    message: /may be read by others/,
    hint: /chmod 600/,
  });
});
