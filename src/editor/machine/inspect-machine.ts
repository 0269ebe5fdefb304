import { ts } from "ts-morph";
import { machineFindings } from "../../domain/machine-check.ts";
import type { Program, Signature } from "../../domain/skill.ts";
import type { Inspection, SourceText } from "../../ports/editor.ts";
import { blank } from "../program.ts";
import { digestOf, parse, syntaxFindings } from "../syntax.ts";
import { machineObject } from "./objects.ts";
import { readMachine, type ReadMachine } from "./read-machine.ts";

/** A machine takes what its context begins with, and the events that are sent to it, in order. */
const EVENTS = {
  type: "array",
  items: { type: "object", properties: { type: { type: "string" } }, required: ["type"] },
} as const;

const MACHINE_SIGNATURE: Signature = {
  name: "machine",
  parameters: [
    { name: "input", optional: true, schema: { type: "object" } },
    { name: "events", optional: true, schema: EVENTS },
  ],
  takesCtx: true,
  isAsync: true,
};

const INPUT_SCHEMA = {
  type: "object",
  properties: { input: { type: "object" }, events: EVENTS },
  required: [],
  additionalProperties: false,
} as const;

const OUTPUT_SCHEMA = {
  type: "object",
  properties: { state: {}, done: { type: "boolean" }, output: {}, context: { type: "object" } },
  required: ["state", "done", "output", "context"],
} as const;

/** A machine's source read and checked as a model; all that is wrong with it, or its contract. */
export function inspectMachine(source: SourceText): Inspection {
  const file = parse(source.text, source.language);
  const syntax = syntaxFindings(file);
  if (syntax.length > 0) return { status: "unsound", problems: syntax };
  const read = machineIn(file);
  if (read === null) return { status: "unsound", problems: [NO_MACHINE] };
  const problems = machineFindings(read.machine);
  if (problems.length > 0) return { status: "unsound", problems };
  return {
    status: "sound",
    signature: MACHINE_SIGNATURE,
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
    program: machineProgram(file),
    digest: digestOf(file),
    calls: read.machine.calls,
  };
}

const NO_MACHINE = {
  line: 1,
  message: "must export one machine, as in `export const machine = { initial: …, states: {…} };`",
};

/** The machine of a file that holds that one thing; null for any other file. */
export function machineIn(file: ts.SourceFile): ReadMachine | null {
  const values = file.statements.filter((statement) => !isType(statement));
  const object = machineObject(file);
  return object === null || values.length !== 1 ? null : readMachine(file, object);
}

function isType(statement: ts.Statement): boolean {
  return ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
}

/**
 * The configuration without types, at the same offsets, and behind it the function that runs it by
 * XState inside the guest (sandbox/isolate/web/machine.ts).
 */
export function machineProgram(file: ts.SourceFile): Program {
  const blanked = blank(file, "machine");
  const text = blanked.status === "blanked" ? blanked.text : file.text;
  return { text: `${text}${RUNNER}`, entry: "runsMachine", strict: true, takesCtx: true, ctxAt: 2 };
}

const RUNNER = `
;async function runsMachine(input, events, ctx) {
  return await __hone_machine(machine, input, events, ctx);
}
`;
