import { configEnvironment } from "./environment.ts";
import { configuredFilters } from "./filters.ts";
import { folderSegments } from "./names.ts";
import { type Place, pathFromRoot } from "./place.ts";

/** Paths under a folder, relative to the workspace, that differ from the checkout's own commit. */
export async function uncommittedIn(place: Place, folder: string): Promise<readonly string[]> {
  const { silence } = await configuredFilters(place);
  const { output } = await place.git.run({
    args: [
      "status",
      "--porcelain=v1",
      "-z",
      "--untracked-files=all",
      "--no-renames",
      "--ignore-submodules=all",
      "--",
      pathFromRoot(place, folderSegments(folder)),
    ],
    environment: configEnvironment(silence),
  });
  const start = place.prefix === "" ? 0 : place.prefix.length + 1;
  // Each entry is two letters of state, a blank, and the path from the root.
  const entries = output.toString().split("\0").filter(Boolean);
  return entries.map((entry) => entry.slice(3 + start));
}
