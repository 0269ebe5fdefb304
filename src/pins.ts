import { HoneError } from "./domain/errors.ts";
import type { Skill } from "./domain/skill.ts";
import type { House } from "./ports/house.ts";

/** A version that calls of a skill get whatever becomes active, who wished it, and when. */
export type Pin = { readonly version: string; readonly by: string; readonly at: number };

/** The note of the ledger that holds the pins, by skill. */
const PINS = "pins";

/** The pins of a workspace, by skill. */
export function pinsIn(store: Pick<House["store"], "note">): Readonly<Record<string, Pin>> {
  return JSON.parse(store.note(PINS) || "{}") as Record<string, Pin>;
}

export function pinOf(skill: string, store: Pick<House["store"], "note">): Pin | null {
  const pins = pinsIn(store);
  return Object.hasOwn(pins, skill) ? (pins[skill] ?? null) : null;
}

/** Sets the pin of a skill, or takes it away. */
export function setPin(skill: string, pin: Pin | null, store: House["store"]): void {
  const others = Object.entries(pinsIn(store)).filter(([name]) => name !== skill);
  const all = pin === null ? others : [...others, [skill, pin] as const];
  store.setNote(PINS, JSON.stringify(Object.fromEntries(all)));
}

/** The version that calls of a skill are pinned to; null: to none. Throws `bad-skill` for one that is lost. */
export async function pinnedSkill(
  name: string,
  { store, library }: Pick<House, "store" | "library">,
): Promise<Skill | null> {
  const pin = pinOf(name, store);
  if (pin === null) return null;
  const skill = await library.at(name, pin.version);
  if (skill !== null) return skill;
  throw new HoneError(
    "bad-skill",
    `${name} is pinned to version ${pin.version}, which cannot be read`,
    { hint: `\`hone unpin ${name}\` serves the active version again.` },
  );
}
