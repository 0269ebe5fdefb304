import { chainsIn, skillCallOf, type Chain } from "./chains.ts";
import { canonical, type JsonObject } from "./json.ts";
import { shareOf } from "./share.ts";
import type { Run } from "./task.ts";
import { exchangesOf } from "./trace.ts";

/** Something that runs do again and again, and that a skill of its own might do. */
export type Recurring = {
  /** The same for the same thing, whenever it is looked for. */
  readonly id: string;
  readonly name: string;
  /** In one sentence, without a full stop. */
  readonly what: string;
  /** Distinct runs in which it was seen. */
  readonly runs: number;
  /** The skills whose runs they are. */
  readonly callers: readonly string[];
  /** Lines of cases.jsonl; of a missing skill, what it was asked. */
  readonly examples: readonly JsonObject[];
} & (
  | {
      /** Skills called one after the other, each given what the one before answered. */
      readonly kind: "chain";
      readonly calls: readonly string[];
      readonly body: string;
      readonly parameters: readonly string[];
    }
  /** A skill that is called and is not there. */
  | { readonly kind: "missing" }
);

type Looking = {
  /** Names of the skills that there are. */
  readonly known: readonly string[];
  readonly minimumRuns: number;
};

/** What runs repeat, most often first. It proposes; whether a skill is wanted is for a person. */
export function recurringIn(runs: readonly Run[], looking: Looking): readonly Recurring[] {
  const chains = chainsIn(runs, looking.minimumRuns).map((chain) => recurringOf(chain));
  const fresh = chains.filter(({ name }) => !looking.known.includes(name));
  return [...fresh, ...missingIn(runs, looking)].toSorted((a, b) => b.runs - a.runs);
}

function recurringOf(chain: Chain): Recurring {
  const { calls, body, parameters, examples, runs } = chain;
  return {
    id: idOf(`chain ${calls.join(" ")} ${body}`),
    kind: "chain",
    name: calls.join("-then-").slice(0, 64).replace(/-+$/, ""),
    what: calls.join(", then "),
    runs: runs.length,
    callers: namesOf(runs),
    calls: [...new Set(calls)],
    body,
    parameters,
    examples,
  };
}

/** Calls of skills that are not there, whatever the answer was. */
function missingIn(runs: readonly Run[], { known, minimumRuns }: Looking): readonly Recurring[] {
  const wanted = runs.flatMap((run) =>
    exchangesOf(run.trace).flatMap(({ request, answer }) => {
      const asked = skillCallOf(request);
      if (asked === null || answer?.status === "resolved") return [];
      return known.includes(asked.skill) ? [] : [{ run, name: asked.skill, input: asked.input }];
    }),
  );
  return [...Map.groupBy(wanted, ({ name }) => name)].flatMap(([name, calls]): Recurring[] => {
    const distinct = [...new Set(calls.map(({ run }) => run))];
    if (distinct.length < minimumRuns) return [];
    const inputs = new Map(calls.map(({ input }) => [canonical(input), { input }] as const));
    return [
      {
        id: idOf(`missing ${name}`),
        kind: "missing",
        name,
        what: `${name} is called and is not there`,
        runs: distinct.length,
        callers: namesOf(distinct),
        examples: [...inputs.values()],
      },
    ];
  });
}

function namesOf(runs: readonly Run[]): readonly string[] {
  return [...new Set(runs.map(({ skill }) => skill))].toSorted();
}

function idOf(key: string): string {
  return Math.floor(shareOf(key) * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}
