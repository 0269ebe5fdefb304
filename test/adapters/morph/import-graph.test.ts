import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SRC = path.resolve(import.meta.dirname, "../../../src");

/** Files that are loaded when a file is, lazily imported ones included, and the packages they ask for. */
function loadedBy(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const specifier of importsOf(readFileSync(file, "utf8"))) {
      if (specifier.startsWith(".")) waiting.push(path.resolve(path.dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return { files, packages };
}

function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)"/gm);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g);
  return [...statements, ...dynamic].map((match) => match[1] ?? "");
}

test("nothing that the daemon loads imports ts-morph: only the editor process does", () => {
  const { files, packages } = loadedBy(path.join(SRC, "main.ts"));
  const editor = loadedBy(path.join(SRC, "editor/main.ts"));

  assert.ok(
    files.has(path.join(SRC, "adapters/morph/process-editor.ts")),
    "sees the editor's client",
  );
  assert.ok(!packages.has("ts-morph"));
  assert.ok(editor.packages.has("ts-morph"), "would see an import of ts-morph");
});
