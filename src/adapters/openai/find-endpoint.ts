import { HoneError } from "../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Asked, Client } from "./client.ts";
import { isLoading } from "./loading.ts";

/** Where a model may be served. */
export type Place = {
  /** With `/v1`, without a slash at its end. */
  readonly baseUrl: string;
  /** Only a person names where the API key goes: what listens on a port by chance never sees it. */
  readonly getsKey: boolean;
};

export type Found =
  | {
      readonly status: "found";
      readonly place: Place;
      readonly client: Client;
      readonly model: string;
      /** The entry of the model in the server's list; empty where it lists none of that name. */
      readonly entry: JsonObject;
    }
  | { readonly status: "loading" | "unreachable"; readonly reason: string };

/** Usual ports of servers: vLLM, SGLang, llama.cpp and LocalAI, LM Studio, Ollama, Jan, KoboldCpp, TabbyAPI. */
const LOCAL_PORTS = [8000, 30_000, 8080, 1234, 11_434, 1337, 5001, 5000] as const;

/** Time for a look at a port of this machine. */
const LOCAL_MS = 1_500;

/** Models that do not talk, as servers list them beside those that do. */
const MUTE = /embed|rerank|whisper|\btts\b|\bbge\b|clip/i;

/**
 * The places to look at, best first: the configured one, or that of OPENAI_BASE_URL, or the usual
 * ports of this machine. Throws `bad-config` for an address that cannot be one.
 */
export function placesFor(
  { use, url }: { readonly use: string; readonly url: string },
  env: Readonly<Record<string, string | undefined>>,
  ports: readonly number[] = LOCAL_PORTS,
): readonly Place[] {
  const named = url === "" && use === "auto" ? (env["OPENAI_BASE_URL"] ?? "").trim() : url;
  if (named !== "") return [{ baseUrl: baseUrlOf(named), getsKey: true }];
  if (use === "auto") {
    return ports.map((port) => ({ baseUrl: `http://127.0.0.1:${port}/v1`, getsKey: false }));
  }
  throw new HoneError("bad-config", "model.url is empty", {
    hint: "Name the server, such as http://127.0.0.1:8000/v1, or set model to auto.",
  });
}

function baseUrlOf(named: string): string {
  const url = URL.canParse(named) ? new URL(named) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new HoneError("bad-config", "the model's address is no http or https URL", {
      hint: "It looks like http://127.0.0.1:8000/v1.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new HoneError("bad-config", "the model's address has a password in it", {
      hint: "Put the key into the environment variable that model.key names.",
    });
  }
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "" ? "/v1" : path}`;
}

/** Looks at all places at once; the first in their order that lists a model is taken. */
export async function findEndpoint(
  places: readonly Place[],
  {
    name,
    clientFor,
    limitMs,
  }: {
    /** Empty: the first that is listed. */
    readonly name: string;
    readonly clientFor: (place: Place) => Client;
    /** Time for an address that a person named; a port of this machine has less. */
    readonly limitMs: number;
  },
  signal: AbortSignal,
): Promise<Found> {
  const looks = await Promise.all(
    places.map(async (place): Promise<Found> => {
      const client = clientFor(place);
      const within = place.getsKey ? limitMs : Math.min(limitMs, LOCAL_MS);
      const found = foundAt(
        await client.look(`${place.baseUrl}/models`, signal, within),
        { place, client },
        name,
      );
      return found.status === "found" ? await ifHealthy(found, within, signal) : found;
    }),
  );
  const best =
    looks.find(({ status }) => status === "found") ??
    looks.find(({ status }) => status === "loading");
  if (best !== undefined) return best;
  const [only] = looks;
  if (only !== undefined && looks.length === 1) return only;
  const ports = places.map(({ baseUrl }) => new URL(baseUrl).port).join(", ");
  return {
    status: "unreachable",
    reason: `no model server answers on the usual ports (${ports}); set model.url or OPENAI_BASE_URL`,
  };
}

/** llama.cpp lists its model while it loads, and says so at its door for supervisors alone. */
async function ifHealthy(
  found: Extract<Found, { readonly status: "found" }>,
  limitMs: number,
  signal: AbortSignal,
): Promise<Found> {
  const door = `${found.place.baseUrl.replace(/\/v1$/, "")}/health`;
  const asked = await found.client.look(door, signal, limitMs);
  if (asked.status !== "refused" || !isLoading(asked)) return found;
  return { status: "loading", reason: `${door} says ${asked.code}: ${inShort(asked.message)}` };
}

function foundAt(
  asked: Asked,
  { place, client }: { readonly place: Place; readonly client: Client },
  name: string,
): Found {
  const where = place.baseUrl;
  switch (asked.status) {
    case "failed":
      return { status: "unreachable", reason: `${where}: ${asked.message}` };
    case "refused":
      if (asked.code === 404 && name !== "") {
        return { status: "found", place, client, model: name, entry: {} };
      }
      return {
        status: isLoading(asked) ? "loading" : "unreachable",
        reason: `${where}/models is refused with ${asked.code}: ${inShort(asked.message)}${remedyFor(asked.code)}`,
      };
    case "answered":
      return inList(asked.answer, { place, client }, name);
  }
}

function remedyFor(code: number): string {
  return [401, 403].includes(code) ? "; model.key names the variable with its API key" : "";
}

function inList(
  list: JsonObject,
  { place, client }: { readonly place: Place; readonly client: Client },
  name: string,
): Found {
  const data = list["data"];
  const entries = Array.isArray(data) ? data.filter(isJsonObject).filter(hasId) : [];
  if (name !== "") {
    const entry = entries.find(({ id }) => id === name || id === `${name}:latest`) ?? {};
    return { status: "found", place, client, model: name, entry };
  }
  const first = entries.find(({ id }) => !MUTE.test(id));
  if (first === undefined) {
    return { status: "unreachable", reason: `${place.baseUrl} lists no model; load one there` };
  }
  return { status: "found", place, client, model: first.id, entry: first };
}

function hasId(entry: JsonObject): entry is JsonObject & { readonly id: string } {
  return typeof entry["id"] === "string" && entry["id"] !== "";
}

/** What a server says, for one line of ours: it may be long, and it is not to be trusted. */
export function inShort(message: string): string {
  const plain = message.replace(/[\p{C}\s]+/gu, " ").trim();
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}
