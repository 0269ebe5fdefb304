import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { HoneError, boundary } from "../../domain/errors.ts";

/** A token has at least so many characters, all printable: 128 bits as hexadecimal digits. */
const TOKEN = /^[\w.~+/=-]{32,512}$/;

/** Whether a text is the token, in a time that does not depend on how much of it is right. */
export function isToken(text: string, token: string): boolean {
  return timingSafeEqual(digestOf(text), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * The token in a file, which is made with a fresh one of 256 bits where there is none. Throws
 * `refused` for a file that others may read, that is a link, or that holds no token.
 */
export async function tokenIn(file: string): Promise<string> {
  const border = { code: "refused", retryable: false } as const;
  return await boundary(border, `Reading the token in ${file}`, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    return (await madeIn(file)) ?? (await tokenFrom(file));
  });
}

/** A fresh token, or null where a file is there already. */
async function madeIn(file: string): Promise<string | null> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY;
  const made = await open(file, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return null;
    throw error;
  });
  if (made === null) return null;
  await using handle = made;
  const token = randomBytes(32).toString("hex");
  await handle.writeFile(`${token}\n`);
  await handle.sync();
  return token;
}

/** The token that a file of this user alone holds. Throws `refused`. */
export async function tokenFrom(file: string): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { mode, uid } = await handle.stat();
  if ((mode & 0o077) !== 0 || uid !== process.getuid?.()) {
    throw refusal(`${file} can be read by others`, `\`chmod 600\` it as the user that runs hone.`);
  }
  const token = (await handle.readFile("utf8")).trim();
  if (TOKEN.test(token)) return token;
  throw refusal(`${file} holds no token`, "Delete it, and hone makes a new one at its start.");
}

function refusal(message: string, hint: string): HoneError {
  return new HoneError("refused", message, { hint });
}
