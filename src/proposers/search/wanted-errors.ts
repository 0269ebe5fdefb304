import type { Diagnosis } from "../../domain/incident.ts";

/** Messages of errors that failing cases want, each once. */
export function wantedErrorsOf({ judged }: Pick<Diagnosis, "judged">): readonly string[] {
  const messages = judged.flatMap(({ passed, case: { expectation } }) =>
    !passed && expectation.kind === "throws" && expectation.message !== ""
      ? [expectation.message]
      : [],
  );
  return [...new Set(messages)];
}
