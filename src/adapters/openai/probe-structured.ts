import { isJsonObject, type Json } from "../../domain/json.ts";
import { PROBE_SCHEMA, shapePrompt, type ProbeAsk } from "./probe-prompts.ts";
import { answerIn, type Answer } from "./read-answer.ts";
import { formatOf, type Structured } from "./structured.ts";
import { jsonIn } from "./wire.ts";

/** Tokens of one answer: a reasoning model thinks before it writes the few that are wanted. */
const TOKENS = 640;

const BY_SCHEMA: readonly Structured[] = [
  { mode: "json_schema", objectTakesSchema: false },
  { mode: "json_object", objectTakesSchema: true },
  { mode: "grammar", objectTakesSchema: false },
];
const BY_SYNTAX: Structured = { mode: "json_object", objectTakesSchema: false };
const FREE: Structured = { mode: "text", objectTakesSchema: false };

/**
 * The strictest way to ask for JSON that the endpoint really keeps, judged by what comes back and
 * not by what is accepted: the schema's members are nowhere in the prompt. At most four requests.
 */
export async function probeStructured(
  ask: ProbeAsk,
): Promise<{ readonly structured: Structured; readonly answers: readonly Answer[] }> {
  const answers: Answer[] = [];
  let isObject = false;
  const asking = async (structured: Structured): Promise<Json | undefined> => {
    const answer = answerIn(await ask(shapePrompt(), TOKENS, formatOf(PROBE_SCHEMA, structured)));
    if (answer === null) return undefined;
    answers.push(answer);
    return jsonIn(answer.choices[0]?.text ?? "") as Json | undefined;
  };
  for (const structured of BY_SCHEMA) {
    const value = await asking(structured);
    if (fitsProbe(value)) return { structured, answers };
    if (structured.mode === "json_object") isObject = isJsonObject(value);
  }
  // A server that took the schema and did not keep it has shown all the same that it writes JSON.
  const writesJson = isObject || isJsonObject(await asking(BY_SYNTAX));
  return { structured: writesJson ? BY_SYNTAX : FREE, answers };
}

/** Whether a value is as PROBE_SCHEMA has it. */
function fitsProbe(value: Json | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.keys(value).length === 2 &&
    ["red", "green", "blue"].some((hue) => hue === value["hue"]) &&
    Number.isInteger(value["count"])
  );
}
