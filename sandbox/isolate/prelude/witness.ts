import type { Bare, Intrinsics } from "./intrinsics.ts";

/** Which numbered places of an instrumented program have run. */
export type Witness = Bare & {
  /** Defines the global function that an instrumented program calls. */
  readonly install: () => void;
  /** What ran while the program was loaded counts for every call. */
  readonly keepLoaded: () => void;
  readonly restart: () => void;
  /** A JSON array of site numbers, ascending. */
  readonly text: () => string;
};

type Sites = Bare & Record<number, true>;

export function makeWitness(of: Intrinsics): Witness {
  const most = 100_000;
  let loaded: Sites = { __proto__: null };
  let seen: Sites = { __proto__: null };
  const copyOf = (sites: Sites): Sites => {
    const copy: Sites = { __proto__: null };
    const known = of.ownKeys(sites) as string[];
    for (let at = 0; at < known.length; at += 1) copy[known[at] as unknown as number] = true;
    return copy;
  };
  return {
    __proto__: null,
    install: () => {
      of.defineOwn(globalThis, "__hone_hit", {
        value: (site: unknown) => {
          if (typeof site === "number" && site >= 0 && site < most) seen[of.trunc(site)] = true;
        },
      });
    },
    keepLoaded: () => {
      loaded = copyOf(seen);
    },
    restart: () => {
      seen = copyOf(loaded);
    },
    text: () => {
      const sites = of.ownKeys(seen) as string[];
      let text = "";
      for (let at = 0; at < sites.length; at += 1) text += (at === 0 ? "" : ",") + sites[at];
      return "[" + text + "]";
    },
  };
}

/** The functions of this file, which become the text of the prelude. */
export const WITNESS_PARTS = [makeWitness];
