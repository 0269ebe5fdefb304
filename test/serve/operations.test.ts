import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../src/serve/http/client.ts";
import { serve } from "../../src/serve/http/server.ts";
import { operationsContract } from "../contracts/operations.contract.ts";
import { answerBook } from "../support/answer-book.ts";
import { scriptedOperations } from "../support/scripted-operations.ts";

operationsContract("directly", async () => ({
  operations: scriptedOperations(),
  [Symbol.asyncDispose]: async () => undefined,
}));

operationsContract("through the socket", async () => {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  const socketPath = path.join(dir, "hone.sock");
  const serving = await serve({
    socketPath,
    operations: scriptedOperations(),
    answers: answerBook(),
    events: async function* () {},
    onBug: () => undefined,
  });
  const client = await connect(socketPath);
  assert.ok(client !== null);
  return {
    operations: client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await serving[Symbol.asyncDispose]();
      await rm(dir, { recursive: true });
    },
  };
});
