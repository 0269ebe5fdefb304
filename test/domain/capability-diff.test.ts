import assert from "node:assert/strict";
import { test } from "node:test";
import { capabilityDiff } from "../../src/domain/capability-diff.ts";
import { DEFAULT_LIMITS, type Capabilities, type Limits } from "../../src/domain/skill.ts";

function reach(
  capabilities: Capabilities,
  {
    limits = {},
    source = "",
  }: { readonly limits?: Partial<Limits>; readonly source?: string } = {},
): Parameters<typeof capabilityDiff>[0] {
  return { manifest: { capabilities, limits: { ...DEFAULT_LIMITS, ...limits } }, source };
}

const SECRET = { name: "API_KEY", host: "a.test", header: "X-Key", as: "{}" };

test("new hosts, capabilities, skills and secrets are named, and what is gone too", () => {
  const before = reach({ fetch: ["a.test", "old.test"], kv: false, log: true });
  const after = reach({
    fetch: ["a.test", "b.test"],
    kv: true,
    skills: ["other"],
    secrets: [SECRET],
  });

  assert.deepEqual(capabilityDiff(before, after), [
    "+fetch b.test",
    "-fetch old.test",
    "+skill other",
    "+secret API_KEY for a.test in X-Key",
    "+capability kv",
    "-capability log",
  ]);
});

test("a secret that goes elsewhere, or in another text, is another one", () => {
  const known = reach({ secrets: [SECRET] });

  assert.deepEqual(capabilityDiff(known, reach({ secrets: [{ ...SECRET, as: "Bearer {}" }] })), [
    "+secret API_KEY for a.test in X-Key: Bearer {}",
    "-secret API_KEY for a.test in X-Key",
  ]);
  assert.equal(
    capabilityDiff(known, reach({ secrets: [{ ...SECRET, host: "b.test" }] })).length,
    2,
  );
});

test("wider limits are named, narrower ones are nobody's business", () => {
  const wider = reach({}, { limits: { timeoutMs: 60_000, memoryMb: 8 } });

  assert.deepEqual(capabilityDiff(reach({}), wider), ["+timeoutMs 5000 -> 60000"]);
});

test("a host that the code did not name before is named, even where a wildcard grants it", () => {
  const granted: Capabilities = { fetch: ["*.a.test"] };
  const before = reach(granted, { source: 'fetch("https://v1.a.test/x")' });
  const after = reach(granted, { source: "fetch(`https://V2.a.test:8443/${x}`)" });

  assert.deepEqual(capabilityDiff(before, after), ["+host v2.a.test:8443 in the code"]);
  assert.deepEqual(capabilityDiff(before, before), []);
});
