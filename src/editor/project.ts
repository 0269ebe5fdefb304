import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Project, ts } from "ts-morph";

/** A text seen by the type checker. */
export type Checked = { readonly file: ts.SourceFile; readonly checker: ts.TypeChecker };

const ENVIRONMENT = join(import.meta.dirname, "..", "..", "sandbox", "isolate", "skill-env.d.ts");
const SKILL = "/skill.ts";

let project: Project | null = null;
let shown = "";

/**
 * The one project of the process, kept warm: the libraries of the language, what exists inside the
 * isolate, and one skill at a time. It is strict.
 */
function warmProject(): Project {
  if (project !== null) return project;
  project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: false,
    compilerOptions: {
      strict: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      lib: ["lib.es2024.d.ts", "lib.esnext.array.d.ts", "lib.esnext.collection.d.ts"],
      types: [],
      noEmit: true,
      allowUnreachableCode: true,
      allowUnusedLabels: true,
      skipLibCheck: true,
    },
  });
  project.createSourceFile("/skill-env.d.ts", readFileSync(ENVIRONMENT, "utf8"));
  return project;
}

/** Shows a text to the type checker. What it returns is good until the next call. */
export function check(text: string): Checked {
  const warm = warmProject();
  if (text !== shown || warm.getSourceFile(SKILL) === undefined) {
    warm.createSourceFile(SKILL, text, { overwrite: true });
    shown = text;
  }
  const program = warm.getLanguageService().compilerObject.getProgram();
  const file = program?.getSourceFile(SKILL);
  if (program === undefined || file === undefined)
    throw new Error("the skill is not in the program");
  return { file, checker: program.getTypeChecker() };
}

/** Type errors of a text, as the language service words them. */
export function typeDiagnostics(text: string): readonly ts.Diagnostic[] {
  check(text);
  return warmProject().getLanguageService().compilerObject.getSemanticDiagnostics(SKILL);
}
