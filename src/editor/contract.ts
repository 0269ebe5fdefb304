import { ts } from "ts-morph";
import type { JsonObject } from "../domain/json.ts";
import type { Language, Parameter, Signature } from "../domain/skill.ts";
import type { Finding } from "../ports/editor.ts";
import type { Entry, EntryNode } from "./entry.ts";
import { described, docOf, schemaOf, type Schema } from "./schema.ts";
import { findingAt } from "./syntax.ts";

/** What a skill's function takes and gives, as its types state it. */
export type Contract = {
  readonly signature: Signature;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly findings: readonly Finding[];
};

type Given = { readonly parameter: Parameter; readonly written: Schema };

const ANYTHING: Schema = { schema: {}, defs: new Map(), findings: [] };

/** Reads the contract. Without a checker, as in plain JavaScript, every type is anything. */
export function contractOf(
  { name, node }: Entry,
  checker: ts.TypeChecker | null,
  language: Language,
): Contract {
  const declared = node.parameters.filter((parameter) => nameOf(parameter) !== "this");
  const takesCtx = declared.at(-1)?.name.getText() === "ctx";
  const inputs = takesCtx ? declared.slice(0, -1) : declared;
  const given = inputs.map((parameter, at) => givenBy(parameter, at, checker));
  const output = checker === null ? ANYTHING : outputOf(node, checker);
  const findings = language === "ts" ? inputs.flatMap(parameterFindings) : [];
  return {
    signature: {
      name,
      parameters: given.map(({ parameter }) => parameter),
      takesCtx,
      isAsync: isAsync(node, checker),
    },
    inputSchema: inputSchemaOf(
      given,
      checker === null ? "" : docOf(symbolOf(node, checker), checker),
    ),
    outputSchema: rooted(output.schema, output.defs),
    findings: [
      ...findings,
      ...given.flatMap(({ written }) => written.findings),
      ...output.findings,
    ],
  };
}

/** A name for each parameter; in plain JavaScript a pattern is called by its place. */
function nameOf(parameter: ts.ParameterDeclaration, at = 0): string {
  return ts.isIdentifier(parameter.name) ? parameter.name.text : `argument${at + 1}`;
}

function givenBy(
  parameter: ts.ParameterDeclaration,
  at: number,
  checker: ts.TypeChecker | null,
): Given {
  const name = nameOf(parameter, at);
  if (checker === null) {
    return { parameter: { name, optional: true, schema: {} }, written: ANYTHING };
  }
  const optional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
  const written = schemaOf(checker.getTypeAtLocation(parameter), {
    checker,
    direction: "input",
    at: parameter,
    path: name,
    absent: optional,
  });
  const doc = docOf(checker.getSymbolAtLocation(parameter.name), checker);
  const schema = described(rooted(written.schema, written.defs), doc);
  return { parameter: { name, optional, schema }, written };
}

function parameterFindings(parameter: ts.ParameterDeclaration): Finding[] {
  const findings: Finding[] = [];
  if (!ts.isIdentifier(parameter.name)) {
    findings.push(findingAt(parameter, "a parameter has a name; take the object apart inside"));
  } else if (parameter.name.text === "ctx") {
    findings.push(findingAt(parameter, "ctx is the last parameter"));
  }
  if (parameter.dotDotDotToken !== undefined) {
    findings.push(
      findingAt(parameter, "a rest parameter has no name for each value; take an array"),
    );
  }
  return findings;
}

function outputOf(node: EntryNode, checker: ts.TypeChecker): Schema {
  const signature = checker.getSignatureFromDeclaration(node);
  if (signature === undefined) return ANYTHING;
  const returned = checker.getReturnTypeOfSignature(signature);
  const type = checker.getAwaitedType(returned) ?? returned;
  return schemaOf(type, {
    checker,
    direction: "output",
    at: node.type ?? node,
    path: "result",
    absent: false,
  });
}

function isAsync(node: EntryNode, checker: ts.TypeChecker | null): boolean {
  if ((ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Async) !== 0) return true;
  const signature = checker?.getSignatureFromDeclaration(node);
  if (checker === null || signature === undefined) return false;
  return checker.getReturnTypeOfSignature(signature).symbol?.name === "Promise";
}

function symbolOf(node: EntryNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  const named = ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name;
  return named === undefined ? undefined : checker.getSymbolAtLocation(named);
}

function inputSchemaOf(given: readonly Given[], doc: string): JsonObject {
  const properties = given.map(({ parameter, written }) => {
    const { description } = parameter.schema;
    return [
      parameter.name,
      described(written.schema, typeof description === "string" ? description : ""),
    ] as const;
  });
  const required = given.filter(({ parameter }) => !parameter.optional);
  const defs = new Map(given.flatMap(({ written }) => [...written.defs]));
  const schema: JsonObject = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required: required.map(({ parameter }) => parameter.name) } : {}),
    additionalProperties: false,
  };
  return described(rooted(schema, defs), doc);
}

function rooted(schema: JsonObject, defs: ReadonlyMap<string, JsonObject>): JsonObject {
  return defs.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
}
