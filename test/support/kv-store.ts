import type { Json } from "../../src/domain/json.ts";
import type { Store } from "../../src/ports/store.ts";

/** The key-value part of a ledger, in memory. */
export function kvStore(): Pick<Store, "kvGet" | "kvSet" | "kvDelete" | "kvList"> {
  const states = new Map<string, Map<string, Json>>();
  const of = (skill: string): Map<string, Json> => {
    const state = states.get(skill) ?? new Map<string, Json>();
    states.set(skill, state);
    return state;
  };
  return {
    kvGet: (skill, key) => of(skill).get(key),
    kvSet: (skill, key, value) => void of(skill).set(key, value),
    kvDelete: (skill, key) => void of(skill).delete(key),
    kvList: (skill, prefix) =>
      [...of(skill).keys()].filter((key) => key.startsWith(prefix)).toSorted(),
  };
}
