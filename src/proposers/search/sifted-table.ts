import type { Case } from "../../domain/case.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Outcome, Request } from "../../domain/trace.ts";
import { environmentOf } from "../../domain/world.ts";
import { grantsOf, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { Seat } from "../../ports/sandbox.ts";

export type TablePorts = Pick<ExaminePorts, "sandbox" | "hosts"> & {
  readonly editor: Pick<Editor, "variants">;
};

/** What a program, and then each of its mutations, does on some questions. */
export type SiftedTable = {
  /** Different answers; null for what is not known. */
  readonly answers: readonly ({
    readonly outcome: Outcome;
    readonly asked: readonly Request[];
  } | null)[];
  /** By program, then by question: the position of the answer; -1 where there is none. */
  readonly rows: readonly (readonly number[])[];
};

/**
 * Puts questions to a program and to its mutations, all of them in one sift, which takes
 * microseconds for an answer where a program of its own takes milliseconds. Questions are answered
 * one after the other, each by all, until the time is over. Null where the program cannot be sifted.
 */
export async function siftedTable(
  members: readonly Mutation[],
  {
    skill,
    questions,
    ...bounds
  }: {
    readonly skill: Skill;
    readonly questions: readonly Pick<Case, "args" | "world">[];
    readonly fuel: number;
    readonly budgetMs: number;
    readonly tellsAsked?: boolean;
  },
  { sandbox, editor, hosts }: TablePorts,
  signal: AbortSignal,
): Promise<SiftedTable | null> {
  if (sandbox.sift === undefined) return null;
  const { source: text, language, signature, manifest } = skill;
  const { capabilities, limits } = manifest;
  const changes = members.map(({ edits }) => edits);
  const made = await editor.variants({ text, language, entry: signature.name }, changes, signal);
  if (made === null) return null;
  const places: readonly (Seat | null)[] = [ORIGINAL, ...made.seats];
  const seats = places.filter((seat) => seat !== null);
  const grants = grantsOf(capabilities);
  const calls = questions.map(({ args, world }) => ({
    args,
    grants,
    environment: environmentOf(world),
    makeHost: () => hosts.table(world, capabilities, "closed"),
  }));
  const { program } = made;
  const sifted = await sandbox.sift({ program, seats, calls, limits, ...bounds }, signal);
  let seated = -1;
  const rows = places.map((seat) => {
    if (seat === null) return questions.map(() => -1);
    seated += 1;
    return questions.map((_, at) => sifted.of[at * seats.length + seated] ?? -1);
  });
  const answers = sifted.outcomes.map((outcome, at) =>
    outcome === null ? null : { outcome, asked: (sifted.asked[at] ?? []).flat() },
  );
  return { answers, rows };
}

const ORIGINAL: Seat = [0, 0];
