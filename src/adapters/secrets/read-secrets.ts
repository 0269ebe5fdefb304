import path from "node:path";
import { lstatSync, readFileSync } from "node:fs";
import { HoneError } from "../../domain/errors.ts";
import type { Secrets } from "../../ports/secrets.ts";

/** The environment variable of a secret is its name behind this: no manifest can name another one. */
const PREFIX = "HONE_SECRET_";

/** A shorter value could not be told from ordinary text where it is to be taken out. */
const LEAST_LENGTH = 8;

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * The secrets of the environment (`HONE_SECRET_<NAME>`) and of a file of `NAME=value` lines, which
 * the environment outranks. The file must be a plain file that nobody else may read (mode 0600).
 * Throws one `bad-config` that names every problem and no value.
 */
export function readSecrets({
  env,
  dir,
  file,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the file's name is relative to. */
  readonly dir: string | null;
  /** Empty: the environment alone. */
  readonly file: string;
}): Secrets {
  const written = file === "" ? [] : inFile(path.resolve(dir ?? "", file));
  const named = Object.entries(env).flatMap(([variable, value]): Entry[] =>
    variable.startsWith(PREFIX) && value !== undefined && value !== ""
      ? [{ name: variable.slice(PREFIX.length), value, where: variable }]
      : [],
  );
  const problems = [...written, ...named].flatMap(problemsOf);
  if (problems.length > 0) throw badSecrets(problems.join("; "));
  const values = new Map([...written, ...named].map(({ name, value }) => [name, value]));
  return { value: (name) => values.get(name) ?? null };
}

type Entry = { readonly name: string; readonly value: string; readonly where: string };

function inFile(file: string): Entry[] {
  const text = privateText(file);
  return text.split(/\r?\n/).flatMap((line, at): Entry[] => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const end = line.indexOf("=");
    const name = line.slice(0, Math.max(0, end)).trim();
    return [{ name, value: line.slice(end + 1).trim(), where: `${file}:${at + 1}` }];
  });
}

function privateText(file: string): string {
  let mode: number;
  try {
    const found = lstatSync(file);
    if (!found.isFile()) throw badSecrets(`${file} is not a plain file`);
    ({ mode } = found);
  } catch (cause) {
    if (cause instanceof HoneError) throw cause;
    throw badSecrets(`${file} cannot be read: ${(cause as NodeJS.ErrnoException).code}`);
  }
  if ((mode & 0o077) !== 0) {
    throw new HoneError("bad-config", `${file} may be read by others`, {
      hint: `chmod 600 ${file}`,
    });
  }
  return readFileSync(file, "utf8");
}

function problemsOf({ name, value, where }: Entry): string[] {
  if (!NAME.test(name)) return [`${where}: a name is capitals, digits and _`];
  if (value.length < LEAST_LENGTH)
    return [`${where}: a value has ${LEAST_LENGTH} characters or more`];
  // Header values are visible ASCII and blanks (RFC 9110, 5.5).
  return /^[\x20-\x7e]+$/.test(value) ? [] : [`${where}: the value cannot stand in a header`];
}

function badSecrets(what: string): HoneError {
  return new HoneError("bad-config", `The secrets cannot be used: ${what}`, {
    hint: "One NAME=value a line, in a file of mode 0600, or HONE_SECRET_<NAME> in the environment.",
  });
}
