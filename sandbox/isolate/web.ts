import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A script that installs some names of the web in a bare V8 context. */
type Part = { readonly mentioned: RegExp; readonly script: string };

let parts: readonly Part[] | null = null;

/**
 * The script that gives a program the names of the web that it mentions (URL, TextDecoder,
 * structuredClone, …); null when it mentions none. To be run before the program, and before
 * anything is frozen. Timers are taken from the context when they are needed. Throws an Error
 * when the bundle has not been built.
 */
export function webSurfaceFor(programText: string): string | null {
  parts ??= readParts();
  const needed = parts.filter(({ mentioned }) => mentioned.test(programText));
  return needed.length > 0 ? needed.map(({ script }) => script).join("") : null;
}

function readParts(): readonly Part[] {
  return readBundle()
    .split(/^\/\/# part /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { mentioned: mentionOf(part.slice(0, end).split(" ")), script: part.slice(end + 1) };
    });
}

function readBundle(): string {
  const path = join(import.meta.dirname, "web.bundle.js");
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`The web surface ${path} cannot be read; \`npm run prepare\` builds it.`, {
      cause,
    });
  }
}

/** One of the names as a whole identifier. */
function mentionOf(names: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\w$])(?:${names.join("|")})(?![\w$])`);
}
