import { context, propagation, SpanKind } from "@opentelemetry/api";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import type { Tracing } from "../compose-telemetry.ts";
import { tracedModel } from "./gen-ai.ts";
import { inSpan } from "./in-span.ts";
import { improvementsIn, reflectionsIn, tracedGates, tracedProposer } from "./repair-spans.ts";

/** Spans as docs/metrics.md names them; those of model calls where they are wanted. */
export function makeTracing({ genAi }: { readonly genAi: boolean }): Tracing {
  return {
    house: tracedHouse,
    operations: tracedOperations,
    model: (model) => (genAi ? tracedModel(model) : model),
    improvements: improvementsIn,
    request: async (headers, answer) =>
      await context.with(propagation.extract(context.active(), headers), answer),
  };
}

function tracedHouse(house: House): House {
  const { sandbox, store, repository } = house;
  return {
    ...house,
    around: async ({ id, skill, source }, work) =>
      await inSpan(
        "hone.task",
        { attributes: { "hone.task": id, "hone.skill": skill, "hone.source": source } },
        work,
      ),
    sandbox: proxied(sandbox, {
      execute: async (execution, signal) =>
        await inSpan("hone.run", { attributes: { "hone.calls": execution.calls.length } }, () =>
          sandbox.execute(execution, signal),
        ),
    }),
    score: async (run, signal) =>
      await inSpan(
        "hone.reward",
        { attributes: { "hone.skill": run.skill.name } },
        async (span) => {
          const reward = await house.score(run, signal);
          span.setAttribute("hone.reward.status", reward.status);
          if (reward.status === "scored") span.setAttribute("hone.reward.score", reward.score);
          return reward;
        },
      ),
    proposers: house.proposers.map(tracedProposer),
    gates: tracedGates(house.gates),
    store: { ...store, ...reflectionsIn(store) },
    repository: proxied(repository, {
      advance: async (prepared, evidence) =>
        await inSpan("hone.release", { attributes: { "hone.commit": prepared.commit } }, () =>
          repository.advance(prepared, evidence),
        ),
    }),
  };
}

/** Operations that do work. The others read, often and at once. */
const WORKING = ["call", "submit", "improve", "test", "approve", "rollback", "verify"] as const;

function tracedOperations(operations: Operations): Operations {
  const traced = WORKING.map((verb) => {
    const perform = operations[verb] as (request: object) => Promise<unknown>;
    return [
      verb,
      async (request: object) =>
        await inSpan(
          `hone.${verb}`,
          { kind: SpanKind.SERVER, attributes: { "hone.verb": verb } },
          () => perform(request),
        ),
    ];
  });
  return { ...operations, ...(Object.fromEntries(traced) as Partial<Operations>) };
}

/** An object with some of its methods in the place of its own, whatever class it is of. */
function proxied<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, key) {
      const own: unknown = Reflect.get(methods, key);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
