import { openStore } from "../../src/adapters/sqlite/sqlite-store.ts";
import { budgeted } from "../../src/daemon/model/budgeted-model.ts";
import { aRequest } from "../support/models.ts";
import { ScriptedModel } from "../support/scripted-model.ts";

/** `node killed-at-work.ts <ledger>`: asks a model three times at once and dies before it answers. */
const [, , file = ""] = process.argv;
const wide = { requests: 1_000, tokens: 1_000_000, seconds: 1_000 };
const scripted = new ScriptedModel((_, index) => {
  if (index === 2) process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
});
const state = async () => ({ status: "ready", endpoint: "", model: "" }) as const;
const model = budgeted(Object.assign(scripted, { state }), {
  caps: { incident: wide, day: wide },
  ledger: openStore(file),
  now: Date.now,
  longestMs: () => 60_000,
});
const signal = new AbortController().signal;
setInterval(() => undefined, 1_000);
await Promise.all([1, 2, 3].map(async () => await model.complete(aRequest(), signal)));
