import type { Place } from "./place.ts";

/** The programs that a repository's configuration runs on files going in and out, by driver. */
export type Filters = {
  readonly drivers: readonly string[];
  /** Settings under which none of them runs. */
  readonly silence: readonly (readonly [string, string])[];
};

/** The filter drivers that the repository configures. */
export async function configuredFilters({ git }: Place): Promise<Filters> {
  const { output } = await git.run({
    args: ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\."],
    answers: [0, 1],
  });
  const keys = output.toString().split("\0").filter(Boolean);
  const drivers = [
    ...new Set(keys.map((key) => key.slice("filter.".length, key.lastIndexOf(".")))),
  ];
  const silence = drivers.flatMap((driver) => [
    [`filter.${driver}.clean`, ""] as const,
    [`filter.${driver}.smudge`, ""] as const,
    [`filter.${driver}.process`, ""] as const,
    [`filter.${driver}.required`, "false"] as const,
  ]);
  return { drivers, silence };
}

/** The first file, changed between two commits, that a configured driver would rewrite; or null. */
export async function filteredFile(
  { git }: Place,
  { drivers }: Filters,
  change: { readonly from: string; readonly to: string },
): Promise<string | null> {
  if (drivers.length === 0) return null;
  const changed = await git.run({
    args: ["diff-tree", "-r", "-z", "--name-only", "--no-renames", change.from, change.to],
  });
  const { output } = await git.run({
    args: ["check-attr", "-z", "--stdin", "filter"],
    stdin: changed.output,
  });
  // Triples: path, attribute, value.
  const words = output.toString().split("\0");
  const at = words.findIndex((word, index) => index % 3 === 2 && drivers.includes(word));
  return words[at - 2] ?? null;
}
