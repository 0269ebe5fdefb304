import type { Store } from "../ports/store.ts";

type Notes = Pick<Store, "note" | "setNote">;

/** Improvements of one incident that may end hone itself before hone lets it be. */
export const MOST_UNFINISHED = 3;

/**
 * How often hone ended, by a bug or killed, while it worked on an incident: attempts that were
 * begun and of which no end was written down.
 */
export function unfinishedAt(incident: string, store: Notes): number {
  return Number(store.note(keyOf(incident)) ?? 0);
}

/** Written down before the work, so that it is known if the work takes hone with it. */
export function begin(incident: string, store: Notes): void {
  store.setNote(keyOf(incident), String(unfinishedAt(incident, store) + 1));
}

/** However it ended, hone lived. */
export function end(incident: string, store: Notes): void {
  store.setNote(keyOf(incident), "0");
}

function keyOf(incident: string): string {
  return `unfinished/${incident}`;
}
