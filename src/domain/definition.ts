import type { Case } from "./case.ts";
import type { JsonObject } from "./json.ts";
import type { Program, Signature, Skill } from "./skill.ts";

/** What agents are shown of a tool: its name, what it is for, and its input as JSON Schema. */
type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
};

/** A request in words, with the input with which the tool should be called for it. */
export type ToolCase = {
  readonly name: string;
  readonly say: string;
  readonly input: JsonObject;
};

/** What a definition says about itself, as the editor reads it. */
type Read = {
  readonly program: Program;
  readonly signature: Signature;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly digest: string;
};

/** Asking a model takes longer than calling a function. */
const PATIENT = { timeoutMs: 120_000, memoryMb: 64, outputBytes: 262_144 };

/**
 * The definition of a tool as something that is judged and repaired for itself: the words of
 * SKILL.md, whose cases are requests. A model that sees all tools of the library has to call this
 * one, with the right input.
 */
export function asDefinition(
  skill: Skill,
  read: Read,
  { cases, library }: { readonly cases: readonly ToolCase[]; readonly library: readonly Skill[] },
): Skill {
  const others = library.filter(({ name }) => name !== skill.name).map(definitionOf);
  const { program, signature, inputSchema, outputSchema, digest } = read;
  return {
    ...skill,
    manifest: { ...skill.manifest, capabilities: { model: true }, limits: PATIENT },
    language: "definition",
    source: skill.files["SKILL.md"] ?? "",
    cases: cases.map(({ name, say, input }): Case => {
      const value = { tool: skill.name, input };
      const args = [say, skill.inputSchema, others];
      return { name, args, expectation: { kind: "value", value }, world: {} };
    }),
    program,
    signature,
    inputSchema,
    outputSchema,
    digest,
  };
}

function definitionOf({ name, description, inputSchema }: Skill): ToolDefinition {
  return { name, description, input: inputSchema };
}
