import path from "node:path";

/**
 * hone's own programs, as files that Node runs. They lie where this file lies: as TypeScript in a
 * checkout, and as what `npm run build` made of it in an installed package, because Node strips no
 * types of what is under node_modules.
 */
const SUFFIX = path.extname(import.meta.filename);

/** Of the command line. */
export const COMMAND_ENTRY = entry("main");
/** Of the process that parses and checks what is not trusted. */
export const EDITOR_ENTRY = entry("editor/main");
/** Of the process that holds a model in memory. */
export const LLAMA_ENTRY = entry("adapters/llama/main");

/**
 * The command `hone` as an absolute path: the script that finds a fitting Node, and starts
 * `COMMAND_ENTRY` with what a service needs of it.
 */
export const LAUNCHER = path.join(packageFolder(), "bin", "hone");

/** `src/` stands in the package's folder, or in the `dist/` of it. */
function packageFolder(): string {
  const up = path.resolve(import.meta.dirname, "..");
  return SUFFIX === ".ts" ? up : path.dirname(up);
}

function entry(name: string): string {
  return path.join(import.meta.dirname, `${name}${SUFFIX}`);
}
