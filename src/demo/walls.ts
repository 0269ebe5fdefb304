import type { Evidence } from "../domain/release.ts";
import { messageOf } from "../domain/errors.ts";
import type { Person } from "./person.ts";
import type { Change } from "./steps.ts";

/** How many of the repairs ran in a container too, as the evidence of each says. */
export type Walls = { readonly repairs: number; readonly inContainers: number };

/** Reads the evidence of what was released; a person's commit and a rollback have none. */
export async function wallsOf(changes: readonly Change[], person: Person): Promise<Walls> {
  const found: Evidence[] = [];
  for (const { commit } of changes) {
    const text = await person.git("notes", "--ref=hone", "show", commit).catch(absent);
    if (text !== null) found.push(JSON.parse(text) as Evidence);
  }
  const repairs = found.filter(({ verdicts }) => verdicts?.length > 0);
  const inContainers = repairs.filter(({ docker }) => docker === "passed").length;
  return { repairs: repairs.length, inContainers };
}

/** Says it in a sentence. */
export function wallsTold({ repairs, inContainers }: Walls): string {
  return inContainers === 0
    ? "No repair ran in a container: there is no engine here (`hone doctor`)."
    : `${inContainers} of ${repairs} repairs passed in a container too, with the same results as in isolates.`;
}

function absent(error: unknown): null {
  if (/no note found/i.test(messageOf(error))) return null;
  throw error;
}
