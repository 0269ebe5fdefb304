import { canonical, type JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import type { House } from "../../ports/house.ts";

/** Commits of a skill that are looked through for the contract before this one. */
const MOST_COMMITS = 50;

/**
 * The last version with the contract before the present one, if it takes this input. Clients are told
 * that a list has changed, and many do not listen: what they were told once works for one contract
 * more. Null where it does not, or the skill had one contract only.
 */
export async function olderFor(
  skill: Skill,
  input: JsonObject,
  { repository, library, inputProblems }: House,
): Promise<Skill | null> {
  const present = contractOf(skill);
  for (const { commit } of await repository.history(`skills/${skill.name}`, MOST_COMMITS)) {
    const before = await library.at(skill.name, commit);
    if (before === null || contractOf(before) === present) continue;
    return inputProblems(before, input).length === 0 ? before : null;
  }
  return null;
}

function contractOf({ inputSchema, outputSchema }: Skill): string {
  return canonical({ inputSchema, outputSchema });
}
