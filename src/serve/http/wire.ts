import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Address } from "./address.ts";

/** A way to a daemon, with the token that its port asks for; empty at its socket. */
export type Wire = { readonly address: Address; readonly token: string; readonly agent: Agent };

export function wireTo(address: Address, token: string): Wire {
  return { address, token, agent: new Agent({ keepAlive: true }) };
}

type Question = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string;
  readonly signal?: AbortSignal;
};

/** One request over the wire. Rejects when there is no answer, or half of one. */
export async function exchange(
  { address, token, agent }: Wire,
  { method, path, body, signal }: Question,
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
  };
  const { kind: _, ...to } = address;
  const options = { ...to, agent, method, path, headers, ...(signal ? { signal } : {}) };
  request(options, (response) => {
    text(response).then(
      (received) => resolve({ status: response.statusCode ?? 0, text: received }),
      reject,
    );
  })
    .on("error", reject)
    .end(body);
  return await promise;
}
