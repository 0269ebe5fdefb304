import assert from "node:assert/strict";
import { test } from "node:test";
import { launchdPlist } from "../../src/service/launchd-plist.ts";
import { marked, whose } from "../../src/service/marked-text.ts";

const SERVICE = {
  scope: "user",
  name: "hone-tools",
  workspace: "/Users/me/R&D <tools>--x",
  launcher: "/usr/local/bin/hone",
  path: "/usr/local/bin:/usr/bin",
  user: "me",
  alsoWritten: [],
  isInHome: true,
  isInTmp: false,
  canWall: false,
  holdsModel: false,
} as const;

test("launchd starts the daemon at login, and again after a failure alone", () => {
  const list = launchdPlist(SERVICE);

  assert.match(list, /<key>Label<\/key>\s<string>dev\.hone\.tools<\/string>/);
  assert.match(
    list,
    /<string>--workspace<\/string>\s<string>\/Users\/me\/R&amp;D &lt;tools&gt;--x</,
  );
  assert.match(list, /<key>KeepAlive<\/key>\s<dict>\s<key>SuccessfulExit<\/key>\s<false\/>/);
  assert.doesNotMatch(list, /UserName/);
  assert.match(launchdPlist({ ...SERVICE, scope: "system" }), /<key>UserName<\/key>\s<string>me</);
});

test("a property list is known again by its second line, which is a comment that XML allows", () => {
  const text = marked(launchdPlist(SERVICE), SERVICE.workspace, ["<!-- ", " -->"]);

  const [first = "", mark = ""] = text.split("\n");
  assert.match(first, /^<\?xml /);
  assert.doesNotMatch(mark.slice("<!--".length, -"-->".length), /--/);
  assert.deepEqual(whose(text), { kind: "ours", workspace: SERVICE.workspace });
  assert.equal(whose(text.replace("Background", "Adaptive")).kind, "changed");
});
