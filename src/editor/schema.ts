import { ts } from "ts-morph";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Finding } from "../ports/editor.ts";
import { notPlain } from "./plain-types.ts";
import { lineOf } from "./syntax.ts";

/** How deep a type is followed; below, anything goes. Meets types that grow without end. */
const DEEPEST = 16;

type Writing = {
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly direction: "input" | "output";
  /** Types being written, outermost first: one that is met again is recursive. */
  readonly open: ts.Type[];
  readonly names: Map<ts.Type, string>;
  readonly defs: Map<string, JsonObject>;
  readonly findings: Finding[];
  /** The place in the source that problems are laid to. */
  readonly at: ts.Node;
};

/** The JSON Schema of one type with what it refers to, and why it cannot cross as plain data. */
export type Schema = {
  readonly schema: JsonObject;
  readonly defs: ReadonlyMap<string, JsonObject>;
  readonly findings: readonly Finding[];
};

/**
 * A TypeScript type as JSON Schema, draft 2020-12. Recursive types refer to `#/$defs/…`, which the
 * caller puts at the root. No node is a boolean, but for `additionalProperties: false`.
 */
export function schemaOf(
  type: ts.Type,
  place: Pick<Writing, "checker" | "direction" | "at"> & {
    readonly path: string;
    /** Leaves `undefined` out: what may be absent altogether. */
    readonly absent: boolean;
  },
): Schema {
  const writing: Writing = {
    ...place,
    file: place.at.getSourceFile(),
    open: [],
    names: new Map(),
    defs: new Map(),
    findings: [],
  };
  const schema = (place.absent ? writeDefined : write)(type, place.path, writing);
  return { schema, defs: writing.defs, findings: writing.findings };
}

function write(type: ts.Type, path: string, writing: Writing): JsonObject {
  if (writing.open.includes(type)) return referTo(type, writing);
  if (writing.open.length > DEEPEST) return {};
  writing.open.push(type);
  const schema = writeNew(type, path, writing);
  writing.open.pop();
  const name = writing.names.get(type);
  if (name === undefined) return schema;
  writing.defs.set(name, schema);
  return { $ref: `#/$defs/${name}` };
}

function referTo(type: ts.Type, { names }: Writing): JsonObject {
  const symbol = type.aliasSymbol ?? type.symbol;
  const stem = /^\w+$/.test(symbol?.name ?? "") ? (symbol?.name ?? "") : "";
  const plain = stem === "" || stem.startsWith("__") ? "value" : stem;
  const taken = new Set(names.values());
  let name = plain;
  for (let count = 2; taken.has(name) && !names.has(type); count += 1) name = `${plain}${count}`;
  if (!names.has(type)) names.set(type, name);
  return { $ref: `#/$defs/${names.get(type) ?? name}` };
}

function writeNew(type: ts.Type, path: string, writing: Writing): JsonObject {
  const bare = type.flags & ts.TypeFlags.TypeParameter ? constraintOf(type, writing) : type;
  const simple = writeSimple(bare);
  if (simple !== null) return simple;
  if (bare.isUnion()) return union(bare.types.map((member) => write(member, path, writing)));
  // A brand on a text or number exists for the compiler alone.
  const branded = bare.isIntersection() ? bare.types.map(writeSimple).find(isWritten) : undefined;
  if (isWritten(branded)) return branded;
  const reason = notPlain(bare, writing.checker);
  if (reason !== null) {
    const line = lineOf(writing.file, writing.at.getStart(writing.file));
    writing.findings.push({ line, message: `${path} is ${reason}, which is no plain data` });
    return {};
  }
  return writeObject(bare, path, writing);
}

function isWritten(schema: JsonObject | null | undefined): schema is JsonObject {
  return schema?.["type"] !== undefined;
}

function constraintOf(type: ts.Type, { checker }: Writing): ts.Type {
  return checker.getBaseConstraintOfType(type) ?? checker.getUnknownType();
}

/** Types without parts; null for the others. */
function writeSimple(type: ts.Type): JsonObject | null {
  const { flags } = type;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return {};
  if (flags & ts.TypeFlags.NonPrimitive) return { type: "object" };
  if (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) {
    return { type: "null" };
  }
  if (type.isStringLiteral()) return { type: "string", enum: [type.value] };
  if (type.isNumberLiteral()) return { type: "number", enum: [type.value] };
  if (flags & ts.TypeFlags.BooleanLiteral) {
    const { intrinsicName } = type as ts.Type & { readonly intrinsicName?: string };
    return { type: "boolean", enum: [intrinsicName === "true"] };
  }
  if (flags & ts.TypeFlags.StringLike) return { type: "string" };
  if (flags & ts.TypeFlags.NumberLike) return { type: "number" };
  if (flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
  return null;
}

/** A type without its `undefined`. */
function writeDefined(type: ts.Type, path: string, writing: Writing): JsonObject {
  const members = type.isUnion() ? type.types.filter((member) => !isUndefined(member)) : [type];
  return union(members.map((member) => write(member, path, writing)));
}

function isUndefined({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.Undefined) !== 0;
}

/** Literals of one type become one enum; a single member stands alone. */
function union(members: readonly JsonObject[]): JsonObject {
  const enums = new Map<Json, Json[]>();
  const rest = new Map<string, JsonObject>();
  for (const member of members) {
    const { type, enum: values } = member;
    if (type !== undefined && Array.isArray(values)) {
      enums.set(type, [...(enums.get(type) ?? []), ...(values as readonly Json[])]);
    } else {
      rest.set(JSON.stringify(member), member);
    }
  }
  if (rest.has("{}")) return {};
  const isBoolean = enums.get("boolean")?.length === 2;
  const written: JsonObject[] = [...enums].map(([type, values]) =>
    type === "boolean" && isBoolean ? { type } : { type, enum: values },
  );
  written.push(...rest.values());
  return written.length === 1 && written[0] !== undefined ? written[0] : { anyOf: written };
}

function writeObject(type: ts.Type, path: string, writing: Writing): JsonObject {
  const { checker } = writing;
  if (checker.isTupleType(type)) return writeTuple(type as ts.TypeReference, path, writing);
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: "array", items: item ? write(item, `${path}[]`, writing) : {} };
  }
  const properties = checker.getPropertiesOfType(type);
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const entries = properties.map((property) => writeProperty(property, path, writing));
  const required = properties
    .filter((property) => !mayBeAbsent(property, writing))
    .map(({ name }) => name);
  const isOpen = properties.length === 0 && index === undefined;
  const others = index ? write(index, `${path}.*`, writing) : false;
  return {
    type: "object",
    ...(properties.length > 0 ? { properties: Object.fromEntries(entries) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(isOpen ? {} : { additionalProperties: others }),
  };
}

function writeProperty(property: ts.Symbol, path: string, writing: Writing): [string, JsonObject] {
  const { checker, at } = writing;
  const type = checker.getTypeOfSymbolAtLocation(property, at);
  const schema = writeDefined(type, `${path}.${property.name}`, writing);
  return [property.name, described(schema, docOf(property, checker))];
}

/** JSON has no undefined members: what may be undefined may be absent. */
function mayBeAbsent(property: ts.Symbol, { checker, at, direction }: Writing): boolean {
  if (property.flags & ts.SymbolFlags.Optional) return true;
  const type = checker.getTypeOfSymbolAtLocation(property, at);
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return direction === "output";
  return type.isUnion() ? type.types.some(isUndefined) : isUndefined(type);
}

function writeTuple(type: ts.TypeReference, path: string, writing: Writing): JsonObject {
  const { elementFlags } = type.target as ts.TupleType;
  const parts = writing.checker.getTypeArguments(type);
  const schemas = parts.map((part, at) =>
    (elementFlags[at] === ts.ElementFlags.Optional ? writeDefined : write)(
      part,
      `${path}[${at}]`,
      writing,
    ),
  );
  const isRest = (flags: ts.ElementFlags | undefined): boolean =>
    ((flags ?? 0) & (ts.ElementFlags.Rest | ts.ElementFlags.Variadic)) !== 0;
  const fixed = schemas.filter((_, at) => !isRest(elementFlags[at]));
  const rest = schemas.filter((_, at) => isRest(elementFlags[at]));
  const minItems = elementFlags.filter((flags) => flags & ts.ElementFlags.Required).length;
  return {
    type: "array",
    ...(fixed.length > 0 ? { prefixItems: fixed } : {}),
    ...(rest.length > 0 ? { items: union(rest) } : { maxItems: fixed.length }),
    minItems,
  };
}

/** A schema with a doc comment on it. */
export function described(schema: JsonObject, doc: string): JsonObject {
  return doc === "" ? schema : { ...schema, description: doc };
}

/** The doc comment of a symbol as one text, "" without one. */
export function docOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string {
  if (symbol === undefined) return "";
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}
