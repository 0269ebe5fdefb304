import { Command } from "commander";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Invoke } from "./invocation.ts";
import { readJsonLines } from "./json-input.ts";
import { withOperations } from "./with-operations.ts";

/** Bytes of tasks sent at a time: well below what the daemon takes in one request. */
const BATCH_BYTES = 256 * 1024;

/** `hone submit <tasks.jsonl>`: queues tasks. */
export function submitCommand(invoke: Invoke): Command {
  return new Command("submit")
    .description("queue the tasks of a JSONL file: {skill, input, expect?} a line")
    .argument("<tasks.jsonl>", "the file; - reads stdin")
    .action((file: string) =>
      invoke(async (invocation) => {
        const tasks = await readJsonLines(file);
        const answer = await withOperations(invocation, async ({ operations }) => {
          let sum: JsonObject = {};
          for (const batch of batchesOf(tasks)) {
            sum = added(sum, await operations.submit({ tasks: batch }));
          }
          return sum;
        });
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}

/** The tasks in their order, in batches; one batch at least, so that an empty file has an answer. */
function batchesOf(tasks: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const batches: JsonObject[][] = [[]];
  let bytes = 0;
  for (const task of tasks) {
    const size = Buffer.byteLength(JSON.stringify(task));
    if (bytes > 0 && bytes + size > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(task);
    bytes += size;
  }
  return batches;
}

/** Two answers as one: counts added, lists joined. */
function added(a: JsonObject, b: JsonObject): JsonObject {
  const sum: Record<string, Json> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = sum[key];
    if (typeof before === "number" && typeof value === "number" && key !== "schemaVersion") {
      sum[key] = before + value;
    } else if (Array.isArray(before) && Array.isArray(value)) {
      sum[key] = [...before, ...value];
    } else {
      sum[key] = value;
    }
  }
  return sum;
}
