import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The parts of the web surface: a script each, and the names that call for it. A bare V8 context
 * needs a millisecond or more to load one, so that a program gets only the parts that it mentions.
 */
const PARTS: readonly { readonly entry: string; readonly names: readonly string[] }[] = [
  { entry: import.meta.resolve("./url.ts"), names: ["URL", "URLSearchParams"] },
  { entry: import.meta.resolve("./encoding.ts"), names: ["TextEncoder", "TextDecoder"] },
  { entry: import.meta.resolve("./clone.ts"), names: ["structuredClone", "DOMException"] },
  { entry: import.meta.resolve("./base64.ts"), names: ["atob", "btoa"] },
  {
    entry: import.meta.resolve("./events.ts"),
    names: ["Event", "EventTarget", "AbortController", "AbortSignal"],
  },
  // XState, for a program that is a state machine.
  { entry: import.meta.resolve("./machine.ts"), names: ["__hone_machine"] },
];

/** Bundles one part into a plain script that installs its names. */
async function scriptOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2024",
    charset: "ascii",
    legalComments: "none",
    minifySyntax: true,
    minifyWhitespace: true,
    define: { "Math.random": "fixedRandom" },
    inject: [fileURLToPath(import.meta.resolve("./fixed-random.ts"))],
  });
  return outputFiles.map(({ text }) => text).join("");
}

const parts = await Promise.all(
  PARTS.map(async ({ entry, names }) => `//# part ${names.join(" ")}\n${await scriptOf(entry)}`),
);
// Whole or not at all: it may be built again while something runs with it.
const bundle = join(import.meta.dirname, "..", "web.bundle.js");
await writeFile(`${bundle}.${process.pid}`, parts.join(""));
await rename(`${bundle}.${process.pid}`, bundle);
