import type { Gate } from "../ports/gate.ts";
import { gate, PASSED } from "./verdict.ts";

/**
 * The stage `patch` hands on only what the editor could parse and read as a skill; here the
 * candidate must also be another program than its parent and than those refused before.
 */
export function parseGate({ now }: { now: () => number }): Gate {
  return gate("parse", now, async (candidate, { skill, diagnosis }) => {
    if (candidate.source === skill.source) {
      return { status: "fail", reason: "byte for byte the source it was made from" };
    }
    if (candidate.digest === skill.digest) {
      return { status: "fail", reason: "only blanks and comments differ" };
    }
    return diagnosis.tried.includes(candidate.digest)
      ? {
          status: "fail",
          reason: "tried before for this failure: refused then, or released and taken back",
        }
      : PASSED;
  });
}
