import { createHmac, randomBytes } from "node:crypto";
import { isToken } from "./token.ts";

/** How long a browser is let in after it has shown the token or a link, in milliseconds. */
export const SESSION_MS = 7 * 24 * 3_600_000;

/** How long a link lets somebody in, once, in milliseconds. */
const LINK_MS = 120_000;

/** Links that are open at a time. */
const MOST_LINKS = 16;

/** Who was let in: browsers, by a cookie, and those that hold a link. */
export type Sessions = {
  /** What a browser's cookie holds: when it ends, and a signature by the token. */
  readonly begin: () => string;
  readonly isGood: (cookie: string) => boolean;
  /** A code that is good once and for two minutes. */
  readonly offer: () => string;
  readonly redeem: (code: string) => boolean;
};

/**
 * Sessions that need no table: a cookie is signed with the token, so that it outlives a restart and
 * ends with the token. The token itself is in no cookie and in no link.
 */
export function sessionsOf(token: string, now: () => number): Sessions {
  const sign = (text: string): string =>
    createHmac("sha256", token).update(`hone session ${text}`).digest("base64url");
  const links = new Map<string, number>();
  return {
    begin() {
      const said = `${now() + SESSION_MS}.${randomBytes(12).toString("base64url")}`;
      return `${said}.${sign(said)}`;
    },
    isGood(cookie) {
      const [, said = "", endsAt = "", signature = ""] =
        /^((\d{1,16})\.[\w-]{16})\.([\w-]{43})$/.exec(cookie) ?? [];
      return isToken(signature, sign(said)) && Number(endsAt) > now();
    },
    offer() {
      const code = randomBytes(24).toString("base64url");
      links.set(code, now() + LINK_MS);
      for (const old of [...links.keys()].slice(0, -MOST_LINKS)) links.delete(old);
      return code;
    },
    redeem(code) {
      const endsAt = links.get(code) ?? 0;
      links.delete(code);
      return endsAt > now();
    },
  };
}
