import type { Store } from "../../ports/store.ts";
import type { Probed, Subject } from "./probe.ts";
import { jsonIn } from "./wire.ts";

/** Single texts that outlive the process. */
export type Notes = Pick<Store, "note" | "setNote">;

/** What is remembered of an endpoint's model. */
type Remembered = {
  /** Rises when a card has other members: older ones are not read. */
  readonly format: number;
  /** What the server's list said of the model. */
  readonly identity: string;
  readonly probed: Probed;
};

const FORMAT = 1;

/** A server may have been started anew with other settings, which its list does not show. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What was found out within the last day of the very model that the server lists now, or null. */
export function recall(notes: Notes, subject: Subject, now: number): Probed | null {
  const value = jsonIn(notes.note(keyOf(subject)) ?? "") as Remembered | undefined;
  if (value?.format !== FORMAT || value.identity !== identityOf(subject)) return null;
  return isRecent(value.probed, now) ? value.probed : null;
}

/** Whether what was found out is less than a day old. */
export function isRecent({ card }: Probed, now: number): boolean {
  const age = now - card.probedAt;
  return age >= 0 && age < DAY_MS;
}

/** Keeps what was found out, until it is a day old or the model is another one. */
export function remember(notes: Notes, subject: Subject, probed: Probed): void {
  const kept: Remembered = { format: FORMAT, identity: identityOf(subject), probed };
  notes.setNote(keyOf(subject), JSON.stringify(kept));
}

function keyOf({ baseUrl, model }: Subject): string {
  return `model-card/${baseUrl}#${model}`;
}

/** The entry without the members that are new each time: vLLM says when it listed it. */
function identityOf({ entry }: Subject): string {
  const { created: _created, permission: _permission, ...lasting } = entry;
  return JSON.stringify(lasting);
}
