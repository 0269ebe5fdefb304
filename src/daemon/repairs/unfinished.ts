import type { Store } from "../../ports/store.ts";

type Notes = Pick<Store, "note" | "setNote">;

/** Improvements of one incident that may end hone itself before hone lets it be. */
export const MOST_UNFINISHED = 3;

/** How often hone ended, by a bug or killed, while it worked on an incident. */
export function unfinishedAt(incident: string, store: Notes): number {
  return Number(store.note(keyOf(incident)) ?? 0);
}

/** Hone ended in it once more. */
export function countUnfinished(incident: string, store: Notes): void {
  store.setNote(keyOf(incident), String(unfinishedAt(incident, store) + 1));
}

/** An improvement came to its end, well or not, and hone lives. */
export function forgetUnfinished(incident: string, store: Notes): void {
  if (unfinishedAt(incident, store) > 0) store.setNote(keyOf(incident), "0");
}

function keyOf(incident: string): string {
  return `unfinished/${incident}`;
}
