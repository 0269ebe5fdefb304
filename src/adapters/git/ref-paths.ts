import path from "node:path";
import { locate } from "./place.ts";

/** Folders in which something changes whenever a branch of the workspace's repository moves. */
export async function refPaths(dir: string): Promise<readonly string[]> {
  const place = await locate(dir, Date.now);
  if (place === null) return [];
  return [...new Set([path.join(place.commonDir, "refs", "heads"), place.gitDir, place.commonDir])];
}
