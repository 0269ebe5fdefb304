import assert from "node:assert/strict";
import { test } from "node:test";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

test("a repair that speaks to another host waits for a person, who is told so in one line", async (t) => {
  await using other = await webServer((request, response) => {
    response.end(JSON.stringify({ height: request.url === "/v2/tower" ? 40 : 2 }));
  });
  await using server = await webServer((_, response) => {
    response.setHeader("link", `<${other.origin}/v2/tower>; rel="successor-version"`);
    response.writeHead(410).end("gone");
  });
  const recorded = (of: string, height: number): object => ({
    name: of,
    input: { of },
    expect: height,
    capabilities: { fetch: [{ match: `GET ${server.origin}/v1/${of}`, body: { height } }] },
  });
  const workspace = await aWorkspace(
    t,
    skillFiles("height", {
      source: `export async function height(of: string, ctx: any): Promise<number> {
  const response = await ctx.fetch(\`${server.origin}/v1/\${of}\`);
  if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
  return (await response.json()).height;
}
`,
      metadata: `  capabilities: { fetch: ["${server.host}", "${other.host}"] }`,
      cases: [recorded("door", 2)],
      heldOut: [recorded("wall", 2), recorded("gate", 2)],
    }),
  );
  await using hone = await workspace.open();
  await hone.operations.call({ skill: "height", input: { of: "tower" }, expect: 40 });

  const improved = await hone.operations.improve({ skill: "height" });

  const why = await hone.operations.why({ skill: "height" });
  const [waiting] = why["waiting"] as readonly { readonly reason: string }[];
  assert.equal(improved["result"], "waiting-approval", JSON.stringify(improved));
  assert.match(
    waiting?.reason ?? "",
    new RegExp(`the capabilities change: \\+host ${other.host} in the code`),
  );
  assert.ok(!waiting?.reason.includes("\n"));
  assert.equal(workspace.git("rev-list", "--count", "hone"), "1", "nothing was released");
});
