import type { Skill } from "../domain/skill.ts";
import type { House } from "../ports/house.ts";
import type { Library } from "../ports/library.ts";

/** Who may say that calls get another version of a skill than the active one; null: it says nothing. */
export type ServingRule = (active: Skill) => Promise<Skill | null>;

/** The version that calls get: that of the first rule that names one, else the active one. */
export function servingOf(
  library: Pick<Library, "active">,
  rules: readonly ServingRule[],
): House["serving"] {
  return async (name) => {
    const active = await library.active(name);
    for (const rule of rules) {
      const other = await rule(active);
      if (other !== null) return other;
    }
    return active;
  };
}
