import { type ParsedCommit, isByHone } from "./commit-text.ts";
import { readCommit } from "./history.ts";
import { objectId } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { Place } from "./place.ts";

type Heads = { readonly people: string; readonly hone: string };

/**
 * The newest commit of a person that `hone` holds and people's branch does not: it was reset or
 * amended away, or is on another branch. To join the two would bring it back against the person's
 * will, so only the person may. Null where all that `hone` has before people is its own.
 */
export async function takenBack(
  { git }: Place,
  reader: ObjectReader,
  { people, hone }: Heads,
): Promise<ParsedCommit | null> {
  const { output } = await git.run({
    args: ["rev-list", objectId(hone), `^${objectId(people)}`],
  });
  for (const id of output.toString().split("\n").filter(Boolean)) {
    const commit = await readCommit(reader, id);
    if (!isByHone(commit)) return commit;
  }
  return null;
}

/** What is the matter, and the two ways out, as a sentence. */
export function takenBackReason(branch: string, commit: ParsedCommit): string {
  const whence = isByHone(commit) ? "which it had of hone" : "which hone has taken in";
  return (
    `${branch} is without commit ${commit.commit.slice(0, 10)} (${commit.subject}), ${whence}: ` +
    "`git merge hone` takes it again, " +
    "`git merge --no-ff --strategy ours hone` keeps every file as it is without it"
  );
}
