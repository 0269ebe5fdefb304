import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { HoneError } from "../../domain/errors.ts";
import { isJsonObject, isTooDeep, type Json, type JsonObject } from "../../domain/json.ts";
import type { Operations, ReportRequest } from "../../ports/operations.ts";
import { failed, failedBy, ranAs, ranFor, told } from "./answers.ts";
import { search } from "./search.ts";
import { statusFor } from "./status.ts";
import type { ToolList } from "./tool-list.ts";

/** Who asks. A client that does not say its name may be any. */
export type Caller = { readonly name: string | null };

export type ToolCall = {
  readonly name: string;
  readonly input: JsonObject;
  readonly caller: Caller;
};

const object = z.custom<JsonObject>((value) => isJsonObject(value as Json | undefined));
const json = z.custom<Json>((value) => value !== undefined);
const word = z.string().min(1).max(200);

/** What hone's own tools take; the same as their schemas say, for inputs are checked here. */
const searching = z.strictObject({
  query: z.string().max(1_000).default(""),
  limit: z.int().min(1).max(50).default(10),
});
const calling = z.strictObject({ skill: word, input: object.optional() });
const reporting = z.strictObject({
  run: word.optional(),
  skill: word.optional(),
  input: object.optional(),
  reason: z.string().min(1).max(4_000),
  expected: json.optional(),
});
const nothing = z.strictObject({});

export type Performing = {
  readonly operations: Pick<Operations, "call" | "report" | "status">;
  readonly list: ToolList;
};

/**
 * One call of a tool. What the world got wrong is a result with `isError` and a sentence of what to
 * do, so that a model reads it; a bug is thrown.
 */
export async function perform(call: ToolCall, ports: Performing): Promise<CallToolResult> {
  try {
    if (isTooDeep(call.input)) return failed("The arguments are nested too deep", "");
    return await performNamed(call, ports);
  } catch (error) {
    if (error instanceof HoneError) return failedBy(error);
    throw error;
  }
}

async function performNamed(
  { name, input, caller }: ToolCall,
  { operations, list }: Performing,
): Promise<CallToolResult> {
  switch (name) {
    case "hone_search": {
      const wanted = taken(name, input, searching);
      // Whoever searches may do so because the list that they have is old.
      await list.refresh();
      return told(search(await list.now(), wanted));
    }
    case "hone_call": {
      const { skill, input: given = {} } = taken(name, input, calling);
      return ranFor(await operations.call({ skill, input: given, source: "mcp" }));
    }
    case "hone_report_failure": {
      const wrong = taken(name, input, reporting);
      return told(await operations.report(reportOf(wrong, caller)));
    }
    case "hone_status":
      taken(name, input, nothing);
      return told(statusFor(await operations.status(), await list.now()));
    default:
      return await called(name, input, { operations, list });
  }
}

async function called(
  skill: string,
  input: JsonObject,
  { operations, list }: Performing,
): Promise<CallToolResult> {
  const answer = await operations.call({ skill, input, source: "mcp" });
  // One that came since the list was read.
  if (!(await list.now()).skills.has(skill)) await list.refresh();
  return ranAs(answer, (await list.now()).skills.get(skill));
}

/** What a tool takes as a report, by the name that the client gives itself. */
function reportOf(
  { run, skill, input, reason, expected }: z.infer<typeof reporting>,
  { name }: Caller,
): ReportRequest {
  return {
    ...(run === undefined ? {} : { run }),
    ...(skill === undefined ? {} : { skill }),
    ...(input === undefined ? {} : { input }),
    ...(expected === undefined ? {} : { expect: expected }),
    reason,
    by: name ?? "",
    via: "mcp",
  };
}

/** Throws `bad-input` with everything that is wrong. */
function taken<T>(name: string, input: JsonObject, type: z.ZodType<T>): T {
  const parsed = type.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join(".") || "the arguments"}: ${message}`,
  );
  throw new HoneError("bad-input", `${name} cannot take this: ${problems.join("; ")}`);
}
