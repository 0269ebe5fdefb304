import type { Skill } from "../../domain/skill.ts";
import { isEndless, type Outcome } from "../../domain/trace.ts";
import { environmentOf } from "../../domain/world.ts";
import { grantsOf } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { Seat, Sifted } from "../../ports/sandbox.ts";
import { behaviourOf, type AskPorts, type Behaviour } from "./behaviour.ts";
import type { Question } from "./inputs.ts";

/** Turns of loops and entries into functions for one answer: what needs more is endless. */
const FUEL = 100_000;

export type SiftedPorts = AskPorts & { readonly editor: Pick<Editor, "variants"> };

/**
 * What a program, and then each of its mutations, does on some questions: all of them in one sift,
 * which takes microseconds for an answer where a program of its own takes milliseconds. Null for an
 * answer that is not known, since time was over or the mutation cannot be sifted; questions are
 * answered one after the other, each by all. Null altogether where the program cannot be sifted.
 */
export async function siftedAnswers(
  members: readonly Mutation[],
  {
    skill,
    questions,
    budgetMs,
  }: {
    readonly skill: Skill;
    readonly questions: readonly Question[];
    readonly budgetMs: number;
  },
  { sandbox, editor, hosts }: SiftedPorts,
  signal: AbortSignal,
): Promise<readonly (readonly (Behaviour | null)[])[] | null> {
  if (sandbox.sift === undefined) return null;
  const { source: text, language, signature, manifest } = skill;
  const changes = members.map(({ edits }) => edits);
  const made = await editor.variants({ text, language, entry: signature.name }, changes, signal);
  if (made === null) return null;
  const places: readonly (Seat | null)[] = [ORIGINAL, ...made.seats];
  const seats = places.filter((seat) => seat !== null);
  const grants = grantsOf(manifest.capabilities);
  const calls = questions.map(({ args, world }) => ({
    args,
    grants,
    environment: environmentOf(world),
    makeHost: () => hosts.table(world, manifest.capabilities, "closed"),
  }));
  const asked = { program: made.program, seats, calls, limits: manifest.limits };
  const sifted = await sandbox.sift({ ...asked, fuel: FUEL, budgetMs, tellsAsked: true }, signal);
  const known = behavioursIn(sifted);
  let row = -1;
  return places.map((seat) => {
    if (seat === null) return questions.map(() => null);
    row += 1;
    return questions.map((_, at) => known[sifted.of[at * seats.length + row] ?? -1] ?? null);
  });
}

const ORIGINAL: Seat = [0, 0];

/** By the position of an outcome. */
function behavioursIn({ outcomes, asked }: Sifted): readonly (Behaviour | null)[] {
  return outcomes.map((outcome, at) =>
    outcome === null ? null : behaviourOf(plain(outcome), (asked[at] ?? []).flat()),
  );
}

/** Whether memory or time is spent first is a matter of chance. */
function plain(outcome: Outcome): Outcome {
  return isEndless(outcome) ? { status: "timed-out", afterMs: 0 } : outcome;
}
