import { zodSchemaCheck } from "../adapters/zod/zod-schema-check.ts";
import type { House } from "../ports/house.ts";
import type { Secrets } from "../ports/secrets.ts";

/** What is wrong with an input or a value of a skill, by the schemas of its types. */
export const SCHEMA_CHECKS: Pick<House, "inputProblems" | "outputProblems"> = {
  inputProblems: ({ inputSchema }, input) => zodSchemaCheck(inputSchema, input),
  outputProblems: ({ outputSchema }, value) => zodSchemaCheck(outputSchema, value),
};

/** The values of the secrets that a skill's manifest names. */
export function secretsIn(secrets: Secrets): House["secretsOf"] {
  return ({ manifest }) =>
    (manifest.capabilities.secrets ?? []).flatMap(({ name }) => secrets.value(name) ?? []);
}

type Troubles = House["troubles"];

/** What the ledger and the daemon lack, where there is one. */
export function bothOf(ledger: Troubles, daemon?: { readonly troubles: Troubles }): Troubles {
  return () => [...ledger(), ...(daemon?.troubles() ?? [])];
}
