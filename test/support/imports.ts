import path from "node:path";
import { Project, SyntaxKind, type SourceFile } from "ts-morph";

/** The project's folder. */
export const ROOT = path.resolve(import.meta.dirname, "../..");

/** One file as it was found; paths are relative to the project's folder, with `/`. */
export type ProjectFile = {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
};

export type Import = {
  /** A path of this project, the name of an npm package, or `node` for what is built in. */
  readonly to: string;
  /** As it is written. */
  readonly specifier: string;
  readonly isPackage: boolean;
  /** `import type`: nothing of it is left when the program runs. */
  readonly isType: boolean;
};

/** Reads the TypeScript of some folders, with every import: static, re-exported and dynamic. */
export function projectFiles(folders: readonly string[]): readonly ProjectFile[] {
  const project = new Project({ skipFileDependencyResolution: true });
  return project
    .addSourceFilesAtPaths(folders.map((folder) => `${ROOT}/${folder}/**/*.ts`))
    .map((file) => ({
      path: path.relative(ROOT, file.getFilePath()),
      text: file.getFullText(),
      imports: [...declared(file), ...dynamic(file)],
    }));
}

/** What is loaded when a file is: every file and package that it reaches, types left out. */
export function reachedFrom(entry: string, files: readonly ProjectFile[]): ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>([entry]);
  for (const at of reached) {
    for (const { to, isType } of byPath.get(at)?.imports ?? []) if (!isType) reached.add(to);
  }
  return reached;
}

function declared(file: SourceFile): readonly Import[] {
  return [...file.getImportDeclarations(), ...file.getExportDeclarations()].flatMap((each) => {
    const specifier = each.getModuleSpecifierValue();
    return specifier === undefined ? [] : [importOf(file, specifier, each.isTypeOnly())];
  });
}

function dynamic(file: SourceFile): readonly Import[] {
  if (!file.getFullText().includes("import(")) return [];
  return file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => call.getExpression().isKind(SyntaxKind.ImportKeyword))
    .flatMap((call) => {
      const [specifier] = call.getArguments();
      return specifier?.isKind(SyntaxKind.StringLiteral) === true
        ? [importOf(file, specifier.getLiteralValue(), false)]
        : [];
    });
}

function importOf(file: SourceFile, specifier: string, isType: boolean): Import {
  if (specifier.startsWith(".")) {
    const target = path.resolve(path.dirname(file.getFilePath()), specifier);
    return { to: path.relative(ROOT, target), specifier, isPackage: false, isType };
  }
  const [scope = "", name = ""] = specifier.split("/");
  const to = specifier.startsWith("node:")
    ? "node"
    : scope.startsWith("@")
      ? `${scope}/${name}`
      : scope;
  return { to, specifier, isPackage: true, isType };
}
