import type { Release, ReleaseState } from "./release.ts";

/** Releases of which nothing is known yet but that the gates let them pass. */
const UNPROVEN: readonly ReleaseState[] = ["pending", "watching"];

/**
 * The version of a skill that is known to be good: the active one, or what was active before the
 * releases that are still under watch. That is a release that was kept, or a person's commit.
 */
export function lastKnownGood(
  active: string,
  releases: readonly Pick<Release, "commit" | "previous" | "state">[],
): string {
  const unproven = new Map(
    releases
      .filter(({ state }) => UNPROVEN.includes(state))
      .map(({ commit, previous }) => [commit, previous]),
  );
  let version = active;
  for (;;) {
    const previous = unproven.get(version);
    if (previous === undefined) return version;
    // Each is gone through once, so that records which contradict each other end as well.
    unproven.delete(version);
    version = previous;
  }
}
