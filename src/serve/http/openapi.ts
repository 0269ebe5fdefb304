import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { ERROR_CODES } from "../../domain/errors.ts";
import { ANSWERS } from "./answers.ts";
import { VERBS, VERB_NAMES, isRead } from "./verbs.ts";
import type { Verb } from "./verbs.ts";

type Node = Readonly<Record<string, unknown>>;

/** The description of the HTTP interface (OpenAPI 3.1), made of the schemas that check its requests. */
export function openApiDocument(): Node {
  const verbs = VERB_NAMES.map((verb) => [`/v1/${verb}`, pathOf(verb)] as const);
  return {
    openapi: "3.1.1",
    info: {
      title: "hone",
      version: packageJson.version,
      description:
        "What can be asked of a hone daemon, at its Unix socket or at its port of this machine. " +
        "Answers may have more members than are named here.",
    },
    security: [{ bearer: [] }, { session: [] }],
    paths: { ...Object.fromEntries(verbs), ...OTHERS },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The text in data/run/token." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "hone-<port>",
          description: "What /login gives a browser; to change something it needs our Origin too.",
        },
      },
      schemas: { Problem: PROBLEM },
      responses: {
        Problem: {
          description: "What is wrong (RFC 9457), with a code, a hint, and whether to try again.",
          content: { "application/problem+json": { schema: ref("schemas/Problem") } },
        },
      },
    },
  };
}

const PROBLEM: Node = {
  type: "object",
  required: ["title", "status", "detail", "code", "hint", "retryable"],
  properties: {
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "One sentence of what is wrong." },
    code: { type: "string", enum: [...ERROR_CODES, "internal"] },
    hint: { type: "string", description: "What to do about it; may be empty." },
    retryable: { type: "boolean" },
  },
};

function pathOf(verb: Verb): Node {
  const { $schema: _, description: _said, ...body } = schemaOf(VERBS[verb], "input");
  const required = Array.isArray(body["required"]) && body["required"].length > 0;
  const summary = VERBS[verb].description ?? verb;
  const post = {
    operationId: verb,
    summary,
    ...(isRead(verb) ? {} : { parameters: [KEY] }),
    requestBody: { required, content: { "application/json": { schema: body } } },
    responses: responsesOf(verb),
  };
  if (!isRead(verb)) return { post };
  const get = {
    operationId: `${verb}ByQuery`,
    summary,
    parameters: queryOf(body),
    responses: responsesOf(verb),
  };
  return { get, post };
}

const KEY: Node = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", maxLength: 257 },
  description:
    "The same request with the same key is carried out once and given the same answer for a day; " +
    "another request with it is refused (422), and so is the same one under way (409).",
};

function queryOf(body: Node): readonly Node[] {
  const required = (body["required"] ?? []) as readonly string[];
  return Object.entries((body["properties"] ?? {}) as Record<string, Node>).map(
    ([name, schema]) => ({ name, in: "query", required: required.includes(name), schema }),
  );
}

function responsesOf(verb: Verb): Node {
  const answer = ANSWERS[verb];
  const { $schema: _, ...schema } = answer === undefined ? ANY : schemaOf(answer, "output");
  return {
    200: { description: "The answer.", content: { "application/json": { schema } } },
    default: ref("responses/Problem"),
  };
}

const ANY: Node = {
  type: "object",
  required: ["schemaVersion"],
  properties: { schemaVersion: { const: 1 } },
};

function schemaOf(schema: z.ZodType, io: "input" | "output"): Node {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Node;
}

function ref(to: string): Node {
  return { $ref: `#/components/${to}` };
}

function answered(description: string, type: string): Node {
  const schema = { type: type === "application/json" ? "object" : "string" };
  return {
    200: { description, content: { [type]: { schema } } },
    default: ref("responses/Problem"),
  };
}

/** What is served beside the verbs. */
const OTHERS: Node = {
  "/v1/events": {
    get: {
      operationId: "events",
      summary: "What happens, as server-sent events; `id` is the number to go on from.",
      parameters: [
        { name: "Last-Event-ID", in: "header", schema: { type: "integer" } },
        { name: "since", in: "query", schema: { type: "integer" } },
      ],
      responses: answered("The stream; 503 where there are too many.", "text/event-stream"),
    },
  },
  "/v1/login-link": {
    post: {
      operationId: "loginLink",
      summary: "A link that lets a browser in, once and for two minutes.",
      responses: answered("The link.", "application/json"),
    },
  },
  "/healthz": {
    get: {
      operationId: "health",
      summary: "Whether the daemon is there.",
      security: [],
      responses: answered("It is.", "application/json"),
    },
  },
  "/readyz": {
    get: {
      operationId: "readiness",
      summary: "Whether the daemon can read its ledger and is not ending.",
      security: [],
      responses: answered("It can.", "application/json"),
    },
  },
  "/openapi.json": {
    get: {
      operationId: "description",
      summary: "This document.",
      responses: answered("It.", "application/json"),
    },
  },
};
