import { nameOf, type Claim } from "../../domain/claim.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Store } from "../../ports/store.ts";

/** Who says what of an incident's question, and why: clients' own words, for people alone. */
export function claimRows(incident: string, { store }: { readonly store: Store }): JsonObject[] {
  return store.claims({ incident }).map(({ by, expectation, reason, at, times }) => ({
    by: nameOf(by),
    ...expectedIn(expectation),
    reason,
    at,
    times,
  }));
}

function expectedIn(expectation: Claim["expectation"]): JsonObject {
  switch (expectation?.kind) {
    case undefined:
    case "reward":
      return {};
    case "value":
      return { expected: expectation.value };
    case "throws":
      return { throws: expectation.message };
  }
}
