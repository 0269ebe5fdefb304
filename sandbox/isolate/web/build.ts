import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * The parts of the web surface: a script each, and the names that call for it. A bare V8 context
 * needs a millisecond or more to load one, so that a program gets only the parts that it mentions.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  "url.ts": ["URL", "URLSearchParams"],
  "encoding.ts": ["TextEncoder", "TextDecoder"],
  "clone.ts": ["structuredClone", "DOMException"],
  "base64.ts": ["atob", "btoa"],
  "events.ts": ["Event", "EventTarget", "AbortController", "AbortSignal"],
};

/** Bundles one part into a plain script that installs its names. */
async function scriptOf(part: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, part)],
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
    inject: [join(import.meta.dirname, "fixed-random.ts")],
  });
  return outputFiles.map(({ text }) => text).join("");
}

const parts = await Promise.all(
  Object.entries(PARTS).map(
    async ([part, names]) => `//# part ${names.join(" ")}\n${await scriptOf(part)}`,
  ),
);
await writeFile(join(import.meta.dirname, "..", "web.bundle.js"), parts.join(""));
