import type { JsonObject } from "../../domain/json.ts";

const NAME = { type: "string", description: "Name of a skill, as hone_search gives it." } as const;
const ANY_OBJECT = { type: "object", properties: {} } as const;

/**
 * The tools that are there whatever the skills are, so that a client that never asks for the list
 * again reaches every skill all the same.
 */
export const HOUSE_TOOLS: readonly JsonObject[] = [
  {
    name: "hone_search",
    title: "Search skills",
    description:
      "Finds skills by words of what they do. Gives their names, descriptions and input schemas; call one by its own tool or by hone_call.",
    inputSchema: objectOf({
      query: { type: "string", description: "Words of what is wanted; empty lists the first." },
      limit: { type: "integer", minimum: 1, maximum: 50, description: "At most so many; 10." },
    }),
    annotations: hints("Search skills", { readOnlyHint: true }),
  },
  {
    name: "hone_call",
    title: "Call a skill",
    description:
      "Runs a skill by its name, also one that came after you were told the list of tools. Gives what it returned and the id of the run.",
    inputSchema: objectOf(
      { skill: NAME, input: { ...ANY_OBJECT, description: "Its parameters by name." } },
      ["skill"],
    ),
    annotations: hints("Call a skill", { destructiveHint: true, openWorldHint: true }),
  },
  {
    name: "hone_report_failure",
    title: "Report a wrong answer",
    description:
      "Says that a skill's answer was wrong. Name the run by its id, or the skill with the input that you gave. Give the right value where you know it: it is what a repair is held against. A report alone changes no skill: somebody independent has to agree, or a person to approve.",
    inputSchema: objectOf(
      {
        run: { type: "string", description: "Id of the run, as in the answer's text or _meta." },
        skill: NAME,
        input: { ...ANY_OBJECT, description: "The input, where there is no id of the run." },
        reason: { type: "string", description: "What is wrong with the answer, in a sentence." },
        expected: { description: "The right value, as the skill should have returned it." },
      },
      ["reason"],
    ),
    annotations: hints("Report a wrong answer", { idempotentHint: true }),
  },
  {
    name: "hone_status",
    title: "Status of the skills",
    description:
      "How the skills stand: how many there are, open incidents, repairs that wait for a person, the latest releases.",
    inputSchema: objectOf({}),
    annotations: hints("Status of the skills", { readOnlyHint: true, idempotentHint: true }),
  },
];

function objectOf(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function hints(title: string, told: JsonObject): JsonObject {
  const quiet = { readOnlyHint: false, idempotentHint: false };
  return { title, ...quiet, destructiveHint: false, openWorldHint: false, ...told };
}
