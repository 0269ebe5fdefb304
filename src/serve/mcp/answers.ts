import type { CallToolResult } from "@modelcontextprotocol/server";
import type { HoneError } from "../../domain/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import { describe } from "../../domain/judge.ts";
import type { Outcome } from "../../domain/trace.ts";
import type { SkillTool } from "./tool-list.ts";

/** A document as a tool's result: for programs, and the same text for models. */
export function told(document: JsonObject, meta: JsonObject = {}): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(document) }],
    structuredContent: document,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/** A failure as a tool's result: one sentence of what, and what to do. */
export function failed(message: string, hint: string, meta: JsonObject = {}): CallToolResult {
  const text = [sentence(message), hint].filter((part) => part !== "").join(" ");
  const common = { content: [{ type: "text" as const, text }], isError: true };
  return Object.keys(meta).length === 0 ? common : { ...common, _meta: meta };
}

/** An error of the world as a tool's result. */
export function failedBy({ message, hint, retryable }: HoneError): CallToolResult {
  const again = retryable ? "It may go better if you try again." : "";
  return failed(message, [hint, again].filter((part) => part !== "").join(" "));
}

/** The answer of `call` as the result of a skill's own tool. */
export function ranAs(answer: JsonObject, tool: SkillTool | undefined): CallToolResult {
  if (answer["status"] !== "returned") return fellShort(answer);
  const value = answer["value"] ?? null;
  const result = tool?.isWrapped === false && isJsonObject(value) ? value : { result: value };
  const problem = tool?.problemOf(result) ?? null;
  if (problem === null) return told(result, metaOf(answer));
  const said = JSON.stringify(value);
  return failed(
    `${name(answer)} returned what it does not say that it returns (${problem}): ${said}`,
    reportHint(answer),
    metaOf(answer),
  );
}

/** The answer of `call` as the result of hone_call, which has no schema of its own. */
export function ranFor(answer: JsonObject): CallToolResult {
  if (answer["status"] !== "returned") return fellShort(answer);
  const { skill = null, run = null, version = null, value: result = null } = answer;
  return told({ result, skill, run, commit: version }, metaOf(answer));
}

function fellShort(answer: JsonObject): CallToolResult {
  const what = describe(answer as unknown as Outcome);
  return failed(`${name(answer)} ${what}`, reportHint(answer), metaOf(answer));
}

function reportHint(answer: JsonObject): string {
  return `Check the input against the tool's schema; if the input is right, hone_report_failure with run ${name(answer, "run")} says so.`;
}

/** Which skill, at which commit, in which run: what hone_report_failure takes. */
function metaOf(answer: JsonObject): JsonObject {
  return {
    "hone/skill": answer["skill"] ?? null,
    "hone/commit": answer["version"] ?? null,
    "hone/run": answer["run"] ?? null,
  };
}

function name(answer: JsonObject, key = "skill"): string {
  const value: Json | undefined = answer[key];
  return typeof value === "string" ? value : "unknown";
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
