import { HoneError } from "../../domain/errors.ts";

/** Where a daemon listens: its Unix socket, or a port that asks for a token. */
export type Address =
  | { readonly kind: "unix"; readonly socketPath: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** hone's own port; see `http.port`. */
const PORT = 4663;

/**
 * The address that a text like that of HONE_HOST names: `unix:/path`, `host:port`, `:port`, `host` or
 * `http://host:port`. Throws `usage` for another one; there is no TLS.
 */
export function addressOf(text: string): Address {
  if (text.startsWith("unix:/")) return { kind: "unix", socketPath: text.slice("unix:".length) };
  const named = /^(?:http:\/\/)?(\[[0-9a-f:.]+\]|[\w.-]*)(?::(\d{1,5}))?\/?$/i.exec(text);
  const port = Number(named?.[2] ?? PORT);
  if (named !== null && text !== "" && port > 0 && port < 65_536) {
    const host = (named[1] ?? "").replace(/^\[|\]$/g, "");
    return { kind: "tcp", host: host === "" ? "127.0.0.1" : host, port };
  }
  throw new HoneError("usage", `${JSON.stringify(text)} is not where a daemon can be`, {
    hint: "HONE_HOST is `unix:/path/of/hone.sock` or `host:port`.",
  });
}

/** The address as a person reads it. */
export function addressText(address: Address): string {
  return address.kind === "unix" ? address.socketPath : `${address.host}:${address.port}`;
}
