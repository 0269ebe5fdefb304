import type { Message } from "../../domain/completion.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Asked } from "./client.ts";

/** What one request of the probe may ask for. */
export type ProbeAsk = (
  messages: readonly Message[],
  maxTokens: number,
  more?: JsonObject,
) => Promise<Asked>;

/** Opens every prompt of the probe, so that a server's log shows what it is. */
export const PROBE_SYSTEM = "A program is testing this connection. Answer as briefly as you can.";

/** A shape whose members the prompt does not name: only a server that enforces it gives it. */
export const PROBE_SCHEMA: JsonObject = {
  type: "object",
  properties: { hue: { enum: ["red", "green", "blue"] }, count: { type: "integer" } },
  required: ["hue", "count"],
  additionalProperties: false,
};

/** Asks for words that hardly two answers share unless a seed fixes them. */
export function wordsPrompt(): readonly Message[] {
  return asking("Write ten random words.");
}

/** Asks for JSON of the probe's shape, without telling the shape. */
export function shapePrompt(): readonly Message[] {
  return asking("Name a colour and a number, as JSON.");
}

/** A prompt of about `characters`, whose first line alone has the answer; see `markerIn`. */
export function markerPrompt(marker: string, characters: number): readonly Message[] {
  const head = `The word is ${marker}.\n`;
  const tail = "\nWhat was the word in the first line? Answer with that word alone.";
  return asking(`${head}${filling(characters - head.length - tail.length)}${tail}`);
}

function asking(content: string): readonly Message[] {
  return [
    { role: "system", content: PROBE_SYSTEM },
    { role: "user", content },
  ];
}

/** Text of the kind that repairs are asked with: code, data and sentences, no two lines alike. */
function filling(characters: number): string {
  const lines: string[] = [];
  let length = 0;
  for (let at = 1; length < characters; at += 1) {
    const line = lineAt(at);
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n").slice(0, Math.max(0, characters));
}

function lineAt(at: number): string {
  const salt = (at * 7_919) % 9_973;
  switch (at % 4) {
    case 0:
      return `  if (order.lines.length > ${at} && order.total >= ${salt}) return null; // row ${at}`;
    case 1:
      return `const part${at} = items.filter((item) => item.price < ${salt}).map(({ sku }) => sku);`;
    case 2:
      return `{"id": "c${salt}", "input": {"amount": ${salt}.5, "unit": "kg"}, "expected": [${at}, true]}`;
    default:
      return `Case ${at} failed: expected the sum ${salt} but the function returned undefined.`;
  }
}
