import { lstatSync, readFileSync } from "node:fs";
import { HoneError } from "../../domain/errors.ts";

/**
 * The API key in the environment variable `name`, or in the file that `<name>_FILE` names, which
 * nobody else may read; null where there is neither. Throws `bad-config` that says no value.
 */
export function apiKeyIn(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | null {
  const key = env[name] ?? "";
  const file = env[`${name}_FILE`] ?? "";
  const value = (key === "" && file !== "" ? privateText(file, `${name}_FILE`) : key).trim();
  if (value === "") return null;
  // Header values are visible ASCII and blanks (RFC 9110, 5.5).
  if (/^[\x20-\x7e]+$/.test(value)) return value;
  throw new HoneError("bad-config", `the API key of ${name} cannot stand in a header`, {
    hint: "It is one line of visible ASCII characters.",
  });
}

function privateText(file: string, variable: string): string {
  try {
    if ((lstatSync(file).mode & 0o077) === 0) return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new HoneError("bad-config", `the file of ${variable} cannot be read: ${code}`, {
      hint: `${variable} names a file with the key alone in it.`,
    });
  }
  throw new HoneError("bad-config", `the file of ${variable} may be read by others`, {
    hint: `chmod 600 ${file}`,
  });
}
