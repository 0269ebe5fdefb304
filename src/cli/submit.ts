import { Command } from "commander";
import { HoneError } from "../domain/errors.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Operations } from "../ports/operations.ts";
import type { Invoke } from "./invocation.ts";
import { readJsonLines } from "./json-input.ts";
import { withOperations } from "./with-operations.ts";

/** Bytes of tasks sent at a time: well below what the daemon takes in one request. */
const BATCH_BYTES = 256 * 1024;

/** `hone submit <tasks.jsonl>`: queues tasks. */
export function submitCommand(invoke: Invoke): Command {
  return new Command("submit")
    .description("queue the tasks of a JSONL file, {skill, input, expect?} a line: all, or none")
    .addHelpText("after", "\nWhere a line is at fault nothing is queued; the error names it.")
    .argument("<tasks.jsonl>", "the file; - reads stdin")
    .action((file: string) =>
      invoke(async (invocation) => {
        const tasks = await readJsonLines(file);
        const answer = await withOperations(invocation, async ({ operations }) => {
          let sum: JsonObject = {};
          let queued = 0;
          for (const batch of batchesOf(tasks)) {
            sum = added(sum, await submitted(batch, queued, operations));
            queued += batch.length;
          }
          return sum;
        });
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}

/** A large file goes in parts, each of which is queued wholly or not at all: where it stops is told. */
async function submitted(
  tasks: readonly JsonObject[],
  before: number,
  operations: Pick<Operations, "submit">,
): Promise<JsonObject> {
  try {
    return await operations.submit({ tasks });
  } catch (cause) {
    if (before === 0 || !(cause instanceof HoneError)) throw cause;
    const { code, message, retryable } = cause;
    const hint = `The first ${before} tasks of the file are queued, none of the others.`;
    throw new HoneError(code, `behind the first ${before}: ${message}`, { cause, hint, retryable });
  }
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
