import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { LAUNCHER } from "../entries.ts";
import { outputOf } from "./processes.ts";

const GIVEN = path.join(import.meta.dirname, "workspace");

/** What stands for the API's address in the files. */
const PLACEHOLDER = "prices.example";

/** The one skill of the demo. */
export const SKILL = "quote-price";

/** Makes a workspace of an empty folder: the demo's files, with the API's address, and a history. Throws `git-failed`. */
export async function makeWorkspace(dir: string, host: string): Promise<void> {
  await cp(GIVEN, dir, { recursive: true });
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await address(path.join(entry.parentPath, entry.name), host);
  }
  await outputOf(LAUNCHER, ["init", "--empty", "--quiet", dir], dir);
}

async function address(file: string, host: string): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll(PLACEHOLDER, host));
}
