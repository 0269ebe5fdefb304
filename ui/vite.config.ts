import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin, UserConfig } from "vite";

const OUT = path.resolve(import.meta.dirname, "../src/serve/ui");

/** Every file a second and a third time, compressed as well as it goes, for the daemon to hand out. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    async closeBundle() {
      const entries = await readdir(OUT, { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((each) => each.isFile())) {
        const file = path.join(entry.parentPath, entry.name);
        const bytes = await readFile(file);
        await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        await writeFile(`${file}.br`, brotliCompressSync(bytes));
      }
    },
  };
}

const config: UserConfig = {
  root: import.meta.dirname,
  publicDir: path.join(import.meta.dirname, "public"),
  logLevel: "warn",
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    // Those that know light-dark().
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // No inline script: the page's policy forbids it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [precompressed()],
};

// oxlint-disable-next-line import/no-default-export -- vite reads its settings from one
export default config;
