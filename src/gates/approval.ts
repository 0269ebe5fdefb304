import { canonical } from "../domain/json.ts";
import type { Gate } from "../ports/gate.ts";
import { gate, PASSED } from "./verdict.ts";

/** Critical changes wait for a person: a protected skill, a changed contract, wider grants. */
export function approvalGate({ now }: { now: () => number }): Gate {
  return gate("approval", now, async (_candidate, { skill, patched }) => {
    if (skill.manifest.review === "always") {
      return { status: "needs-data", reason: "this skill is protected: review is `always`" };
    }
    if (contractOf(skill) !== contractOf(patched)) {
      return { status: "needs-data", reason: "the exported contract changes" };
    }
    return canonical(skill.manifest.capabilities) === canonical(patched.manifest.capabilities)
      ? PASSED
      : { status: "needs-data", reason: "the capabilities change" };
  });
}

function contractOf({
  signature,
  inputSchema,
  outputSchema,
}: Parameters<Gate["check"]>[1]["skill"]): string {
  return canonical({ name: signature.name, inputSchema, outputSchema });
}
