import { canonical, isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Signature } from "../domain/skill.ts";
import type { Inspection, SourceText, TypeFinding } from "../ports/editor.ts";
import { entryOf, exportedNames } from "./entry.ts";
import { parse } from "./syntax.ts";

type Sound = Extract<Inspection, { readonly status: "sound" }>;

type Change = Pick<TypeFinding, "message" | "changed">;

/** A sound source with its text. */
export type Read = { readonly source: SourceText; readonly inspection: Sound };

/** What a patch changes of what callers rely on: the name, the parameters, the types. */
export function contractChanges(before: Read, after: Read): readonly Change[] {
  const [was, is] = [before.inspection, after.inspection];
  const known = new Set(exportedNames(parse(before.source.text, before.source.language)));
  const added = exportedNames(parse(after.source.text, after.source.language)).filter(
    (name) => !known.has(name),
  );
  const isSame = statesItsResult(before.source)
    ? sameTypes(was.outputSchema, is.outputSchema)
    : addsNoKind(was.outputSchema, is.outputSchema);
  return [
    ...signatureChanges(was.signature, is.signature),
    ...(isSame ? [] : [resultChange(was.outputSchema, is.outputSchema)]),
    ...added
      .filter((name) => name !== is.signature.name)
      .map((name) => ({ message: `${name} is exported too` })),
  ];
}

function resultChange(was: JsonObject, is: JsonObject): Change {
  return { message: "the type of the result", changed: { parameter: null, was, is } };
}

function signatureChanges(was: Signature, is: Signature): Change[] {
  const changes: Change[] = [];
  if (was.name !== is.name) changes.push({ message: `${was.name} became ${is.name}` });
  if (was.takesCtx !== is.takesCtx) {
    changes.push({ message: is.takesCtx ? "ctx was added" : "ctx was taken away" });
  }
  const names = ({ parameters }: Signature): string =>
    `(${parameters.map(({ name, optional }) => name + (optional ? "?" : "")).join(", ")})`;
  if (names(was) !== names(is)) {
    return [...changes, { message: `${names(was)} became ${names(is)}` }];
  }
  for (const [at, { name, schema }] of was.parameters.entries()) {
    const now = is.parameters[at]?.schema ?? {};
    if (sameTypes(schema, now)) continue;
    const changed = { parameter: at, was: schema, is: now };
    changes.push({ message: `the type of ${name}`, changed });
  }
  return changes;
}

/** Whether the source writes its result type down; one that is inferred follows the code. */
function statesItsResult(source: SourceText): boolean {
  return entryOf(parse(source.text, source.language), source).entry?.node.type !== undefined;
}

function sameTypes(a: JsonObject, b: JsonObject): boolean {
  return canonical(withoutDocs(a)) === canonical(withoutDocs(b));
}

/** A member that is called `description` has a schema, not a text. */
function withoutDocs(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDocs);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== "description" || typeof member !== "string")
      .map(([key, member]) => [key, withoutDocs(member)]),
  );
}

/** An inferred result may become narrower, but no new kind of value may come out. */
function addsNoKind(was: JsonObject, is: JsonObject): boolean {
  const known = kindsOf(was, was);
  return known.has("any") || [...kindsOf(is, is)].every((kind) => known.has(kind));
}

function kindsOf(schema: JsonObject, root: JsonObject): ReadonlySet<string> {
  const { type, anyOf, $ref } = schema as Readonly<Record<"type" | "anyOf" | "$ref", Json>>;
  const $defs = root["$defs"];
  if (Array.isArray(anyOf)) {
    return new Set(
      (anyOf as readonly JsonObject[]).flatMap((member) => [...kindsOf(member, root)]),
    );
  }
  if (typeof $ref === "string" && isJsonObject($defs)) {
    const target = $defs[$ref.slice("#/$defs/".length)];
    return isJsonObject(target) ? kindsOf(target, root) : new Set(["any"]);
  }
  return new Set([typeof type === "string" ? type : "any"]);
}
