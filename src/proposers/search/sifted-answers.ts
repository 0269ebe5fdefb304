import type { Skill } from "../../domain/skill.ts";
import type { Mutation } from "../../ports/editor.ts";
import { behaviourOf, type Behaviour } from "./behaviour.ts";
import type { Question } from "./inputs.ts";
import { siftedTable, type TablePorts } from "./sifted-table.ts";

/** Turns of loops and entries into functions for one answer: what needs more is endless. */
const FUEL = 100_000;

/**
 * What a program, and then each of its mutations, does on some questions: all of them in one sift.
 * Null for an answer that is not known, since time was over or the mutation cannot be sifted. Null
 * altogether where the program cannot be sifted.
 */
export async function siftedAnswers(
  members: readonly Mutation[],
  asked: {
    readonly skill: Skill;
    readonly questions: readonly Question[];
    readonly budgetMs: number;
  },
  ports: TablePorts,
  signal: AbortSignal,
): Promise<readonly (readonly (Behaviour | null)[])[] | null> {
  const table = await siftedTable(
    members,
    { ...asked, fuel: FUEL, tellsAsked: true },
    ports,
    signal,
  );
  if (table === null) return null;
  const known = table.answers.map((answer) =>
    answer === null ? null : behaviourOf(answer.outcome, answer.asked),
  );
  return table.rows.map((row) => row.map((at) => known[at] ?? null));
}
