import type { RunClock } from "./clock.ts";
import { makeFetch } from "./fetch.ts";
import { type Intrinsics, put } from "./intrinsics.ts";
import type { Journal, Level } from "./journal.ts";
import type { Requests } from "./requests.ts";
import { delayOf } from "./timers.ts";

/** What the capabilities of a skill are made of. */
export type CtxParts = {
  readonly of: Intrinsics;
  readonly clock: RunClock;
  readonly journal: Journal;
  readonly requests: Requests;
};

/** The skill's last argument: only what is granted is there. */
export function makeCtx(parts: CtxParts, grants: readonly string[]): object {
  const { of, clock, requests } = parts;
  const ctx = {};
  for (let at = 0; at < grants.length; at += 1) {
    const name = grants[at] as string;
    switch (name) {
      case "fetch":
        put(of, ctx, name, makeFetch(of, requests));
        break;
      case "kv":
        put(of, ctx, name, makeKv(of, requests));
        break;
      case "clock":
        put(of, ctx, name, {
          now: () => clock.read(),
          sleep: (ms: unknown) => requests.ask("timer", { __proto__: null, ms: delayOf(of, ms) }),
        });
        break;
      case "random":
        put(of, ctx, name, () => clock.random());
        break;
      case "log":
        put(of, ctx, name, makeLog(parts));
        break;
      case "model":
        put(of, ctx, name, (prompt: unknown, schema?: unknown) =>
          requests.ask("model", {
            __proto__: null,
            prompt: of.text(prompt),
            schema: schema ?? null,
          }),
        );
        break;
      case "skills":
        put(of, ctx, name, {
          call: (skill: unknown, input: unknown) =>
            requests.ask("skills.call", {
              __proto__: null,
              name: of.text(skill),
              input: input ?? {},
            }),
        });
        break;
    }
  }
  return ctx;
}

/** Keys are texts; a value that JSON cannot carry rejects with the path to it. */
function makeKv(of: Intrinsics, requests: Requests): object {
  return {
    get: (key: unknown) => requests.ask("kv.get", { __proto__: null, key: of.text(key) }),
    set: (key: unknown, value: unknown) =>
      requests.ask("kv.set", { __proto__: null, key: of.text(key), value: value ?? null }),
    delete: (key: unknown) => requests.ask("kv.delete", { __proto__: null, key: of.text(key) }),
    list: (prefix?: unknown) =>
      requests.ask("kv.list", { __proto__: null, prefix: of.text(prefix ?? "") }),
  };
}

function makeLog({ of, journal }: CtxParts): object {
  const at =
    (level: Level) =>
    (...values: unknown[]): void =>
      journal.add(level, values);
  const log = at("info");
  put(of, log, "debug", at("debug"));
  put(of, log, "info", at("info"));
  put(of, log, "warn", at("warn"));
  put(of, log, "error", at("error"));
  return log;
}

/** The functions of this file, which become the text of the prelude. */
export const CTX_PARTS = [makeCtx, makeKv, makeLog];
