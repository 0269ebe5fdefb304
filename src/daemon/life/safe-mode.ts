import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { lastKnownGood } from "../../domain/known-good.ts";
import type { Skill } from "../../domain/skill.ts";
import type { House } from "../../ports/house.ts";
import type { Library } from "../../ports/library.ts";
import type { Store } from "../../ports/store.ts";
import { baseOf } from "../../versions.ts";

/** Whether the daemon works without what its releases brought, and why; null: it does not. */
export type SafeMode = { current: { readonly since: number; readonly why: string } | null };

type Releases = Pick<Store, "releases" | "note">;

/** Releases of a skill that are looked at. */
const MOST = 50;

/**
 * In safe mode a skill is served as it was before the releases that are still under watch. What is
 * in git stays as it is. Throws `refused` for a skill that has no such version.
 */
export function safeVersionOf(
  mode: SafeMode,
  { library, store }: { readonly library: Library; readonly store: Releases },
): House["safeVersion"] {
  const known = new Map<string, Skill>();
  return async (active) => {
    if (mode.current === null) return null;
    const { name, version } = active;
    const good = lastKnownGood(version, releasesOf(name, store));
    if (good === version) return null;
    const kept = known.get(name);
    if (kept?.version === good) return kept;
    const skill = await library.at(name, good);
    if (skill === null) throw withoutGood(name);
    known.set(name, skill);
    return skill;
  };
}

/** Throws `refused` in safe mode: what hone would make now is made of what broke it. */
export function refuseInSafeMode({ current }: SafeMode): void {
  if (current === null) return;
  throw new HoneError("refused", `hone is in safe mode: ${current.why}`, { hint: LEAVE });
}

/** The problem that safe mode is, as a sentence; none outside of it. */
export function safeModeProblems({ current }: SafeMode): readonly string[] {
  if (current === null) return [];
  return [
    `safe mode since ${new Date(current.since).toISOString()}: ${current.why}; ` +
      "nothing is improved, and skills are served as they were before the releases under watch; " +
      "`hone restart --normal` leaves it",
  ];
}

/** The skills that are not served as they are at the head, by what the releases say. */
export function servedInstead({ current }: SafeMode, store: Releases): readonly JsonObject[] {
  if (current === null) return [];
  const watched = store.releases({ states: ["watching"], limit: 200 });
  return [...new Set(watched.map(({ skill }) => skill))].map((skill) => {
    const releases = releasesOf(skill, store);
    const [newest] = releases;
    const active = newest?.commit ?? "";
    return { skill, active, served: lastKnownGood(active, releases) };
  });
}

/** Each with the version that it was held against. */
function releasesOf(skill: string, store: Releases): Parameters<typeof lastKnownGood>[1] {
  return store
    .releases({ skill, limit: MOST })
    .map((made) => ({ ...made, previous: baseOf(made, { store }) }));
}

const LEAVE = "`hone restart --normal` leaves it; `hone rollback` takes a release back.";

function withoutGood(name: string): HoneError {
  const message = `hone is in safe mode, and ${name} has no version that is known to be good`;
  return new HoneError("refused", message, { hint: LEAVE });
}
