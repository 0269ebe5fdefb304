import { ts } from "ts-morph";

/** Why a type cannot cross the wall as plain data, in a few words; null if it can. */
export function notPlain(type: ts.Type, checker: ts.TypeChecker): string | null {
  if (type.flags & ts.TypeFlags.ESSymbolLike) return "a symbol";
  if (type.flags & ts.TypeFlags.BigIntLike) return "a bigint";
  if (checker.isArrayType(type) || checker.isTupleType(type)) return null;
  if (type.getCallSignatures().length > 0) return "a function";
  if (type.getConstructSignatures().length > 0) return "a class";
  if (type.isClass() || isFromLibrary(type)) return `a ${type.symbol.name}`;
  const symbolKeyed = checker.getPropertiesOfType(type).find(({ name }) => name.startsWith("__@"));
  return symbolKeyed === undefined ? null : "an object with members named by symbols";
}

/** Date, Map, Promise, Uint8Array and the like: objects of the language with behaviour of their own. */
function isFromLibrary(type: ts.Type): boolean {
  const declarations = type.symbol?.declarations ?? [];
  if (type.aliasSymbol !== undefined && !isNominal(declarations)) return false;
  return isNominal(declarations) && declarations.some(isInLibrary);
}

function isNominal(declarations: readonly ts.Declaration[]): boolean {
  return declarations.some(
    (declaration) => ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration),
  );
}

function isInLibrary(declaration: ts.Declaration): boolean {
  return declaration.getSourceFile().isDeclarationFile;
}
