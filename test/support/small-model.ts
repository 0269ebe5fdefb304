import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Where real models and a server for them are kept between test runs; nothing of it is committed. */
export const MODEL_CACHE = path.join(
  process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"),
  "hone-test",
);

/** The small model of the tests: SmolLM2-135M-Instruct in Q4_1, 98 MB, Apache-2.0. */
export const SMALL_GGUF = path.join(MODEL_CACHE, "SmolLM2-135M-Instruct.Q4_1.gguf");

/** llama.cpp's own server as a Python package, unpacked. */
export const SERVER_PACKAGE = path.join(MODEL_CACHE, "xllamacpp-2026.10.11549");

/** Where no test may be left out. */
const isRequired = process.env["HONE_REQUIRE_MODEL"] === "1";

/** Why a test without the small model embedded is left out; false: it is not. */
export function withoutEmbedded(): string | false {
  if (isRequired) return false;
  if (!existsSync(SMALL_GGUF)) return HOW;
  return isInstalled("node-llama-cpp") ? false : "node-llama-cpp is not installed";
}

/** Why a test without a server of the small model is left out; false: it is not. */
export function withoutServer(): string | false {
  if (isRequired) return false;
  return existsSync(SMALL_GGUF) && existsSync(SERVER_PACKAGE) ? false : HOW;
}

const HOW = "there is no small model here; `node test/support/fetch-gguf.ts` fetches it";

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
