import { subjectOf, type Standing } from "../domain/claim.ts";
import { isWords, type Skill } from "../domain/skill.ts";
import { claimStanding, type ClaimLedger } from "../examine/claim-standing.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Containers } from "../ports/containers.ts";
import type { Editor } from "../ports/editor.ts";
import type { Gate, GateContext } from "../ports/gate.ts";
import type { Store } from "../ports/store.ts";
import { acceptanceGate } from "./acceptance.ts";
import { approvalGate } from "./approval.ts";
import { conductGate } from "./conduct.ts";
import { differentialGate, type DifferentialPorts } from "./differential.ts";
import { dockerGate } from "./docker.ts";
import { failingCaseGate } from "./failing-case.ts";
import { heldOutGate, type HeldOutPorts } from "./held-out.ts";
import { pairedGate } from "./paired.ts";
import { parseGate } from "./parse.ts";
import { policyGate } from "./policy.ts";
import { regressionGate } from "./regression.ts";
import { typesGate } from "./types.ts";

export type CascadePorts = ExaminePorts & { readonly editor: Editor; readonly now: () => number };

type Claims = ClaimLedger & Pick<Store, "incident">;

/** The gates in the order of their cost; `also` adds what needs a ledger, held-out data and a history. */
export function cascade(
  ports: CascadePorts,
  also: {
    readonly differential: DifferentialPorts;
    readonly heldOut: HeldOutPorts;
    readonly takenBackBy: (skill: Skill) => Promise<string | null>;
    /** Where claims are kept, and what speaks for them; null: there are none. */
    readonly claims: Claims | null;
    /** Null: candidates are not run in containers. */
    readonly containers: Containers | null;
  } | null,
): readonly Gate[] {
  const containers = also?.containers ?? null;
  const recorded = { ...ports, passingRuns: () => [] };
  return [
    parseGate(ports),
    policyGate(ports),
    typesGate(ports),
    failingCaseGate(ports),
    forCode(regressionGate(ports)),
    forCode(differentialGate(also?.differential ?? recorded)),
    forCode(conductGate(ports)),
    ...(also === null ? [] : [heldOutGate(also.heldOut)]),
    ...(containers === null ? [] : [forCode(dockerGate({ ...ports, containers }))]),
    forCode(acceptanceGate(ports), pairedGate(ports)),
    approvalGate(
      also === null
        ? ports
        : { ...ports, takenBackBy: also.takenBackBy, standing: standingIn(also) },
    ),
  ];
}

/** What the incident of a candidate rests on, where it is claims. */
function standingIn({
  claims,
  heldOut,
}: {
  readonly claims: Claims | null;
  readonly heldOut: HeldOutPorts;
}): (context: GateContext) => Promise<Standing | null> {
  return async ({ skill, diagnosis }) => {
    if (claims === null) return null;
    const incident = claims.incident(diagnosis.incidentId);
    if (incident === null || subjectOf(incident) === null) return null;
    const unseen = await heldOut.heldOut.cases(skill);
    return claimStanding({ incident, skill, heldOut: unseen }, claims);
  };
}

/**
 * A gate about code. Wording has none: its program is hone's own text, and what its model answers is
 * measured, not repeated. Another gate may stand in its place there.
 */
function forCode(code: Gate, words?: Gate): Gate {
  const spared = { gate: code.name, status: "pass", reason: "no code of its own" } as const;
  return {
    name: code.name,
    check: async (candidate, context, signal) => {
      if (!isWords(context.patched)) {
        return await code.check(candidate, context, signal);
      }
      return (await words?.check(candidate, context, signal)) ?? { ...spared, durationMs: 0 };
    },
  };
}
