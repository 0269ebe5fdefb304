import { isUnborn } from "../domain/birth.ts";
import type { Candidate } from "../domain/candidate.ts";
import { capabilityDiff } from "../domain/capability-diff.ts";
import { canonical } from "../domain/json.ts";
import type { Skill } from "../domain/skill.ts";
import type { Standing } from "../domain/claim.ts";
import type { Gate, GateContext } from "../ports/gate.ts";
import type { Repository } from "../ports/repository.ts";
import { gate, PASSED } from "./verdict.ts";

/**
 * Least confidence with which a repair that was weighed against others is released unasked. Below
 * it nothing decides. A right release that waits costs three times what a wrong one does: the wrong
 * one passes all that is known, is watched, and is taken back by itself. Of a hundred choices for
 * faults injected into code of our own (bench/choice), 1 of 69 right ones waits at 0.2, and 15 of 31
 * wrong ones; at 0.25 they are 4 and 15, at 0.4 11 and 18.
 */
const LEAST_CONFIDENCE = 0.2;

/**
 * The same where cases that nobody had seen have passed before this gate: two of them make it about
 * four times as likely to be right, since each finds about half of the wrong ones.
 */
const LEAST_WHEN_HELD_OUT = 0.1;

/**
 * Critical changes wait for a person: a protected skill, a changed contract, another reach (hosts,
 * capabilities, secrets, wider limits), and the first change after a person took one back. So does a
 * repair that rests on a client's claim alone, one for which nothing speaks but the visible cases, and one with a rival that satisfies the same
 * cases, where nothing decides between the two.
 */
export function approvalGate({
  now,
  takenBackBy = async () => null,
  standing = async () => null,
}: {
  readonly now: () => number;
  /** The person who took back the release before, where the active version is what that left. */
  readonly takenBackBy?: (skill: Skill) => Promise<string | null>;
  /** What clients' claims amount to where the incident rests on them; null where it does not. */
  readonly standing?: (context: GateContext) => Promise<Standing | null>;
}): Gate {
  return gate("approval", now, async (candidate, context) => {
    const { skill, patched, earlier = [] } = context;
    const claimed = await standing(context);
    const person = await takenBackBy(skill);
    const heldOut = earlier.find((one) => one.gate === "held-out");
    // A setting that wants no held-out case is no ground: one at least was asked, and passes.
    const isAsked = heldOut?.status === "pass" && (heldOut.unseenPassed ?? 0) > 0;
    const least = isAsked ? LEAST_WHEN_HELD_OUT : LEAST_CONFIDENCE;
    const reach = capabilityDiff(skill, patched);
    const critical = [
      isUnborn(skill) ? newcomer(patched) : null,
      skill.manifest.review === "always" ? "this skill is protected: review is `always`" : null,
      person === null ? null : `${person} took back the last release of this skill`,
      reach.length === 0 ? null : `the capabilities change: ${reach.join(", ")}`,
      claimed === null || claimed.status === "supported" ? null : claimed.reason,
    ].filter((reason) => reason !== null);
    const { confidence = 1 } = candidate;
    const isUnsure = confidence < least;
    // It waits for want of held-out cases anyway: whoever decides should know how sure it is.
    const isTold = isUnsure || (heldOut?.status === "needs-data" && confidence < 1);
    const open = [
      contractOf(skill) === contractOf(patched) ? null : "the exported contract changes",
      isAsked || hasGround(candidate) ? null : UNGROUNDED,
      isTold ? doubtIn(candidate, isUnsure) : null,
    ].filter((reason) => reason !== null);
    const reason = [...critical, ...open].join("; ");
    if (reason === "") return claimed === null ? PASSED : { ...PASSED, reason: claimed.reason };
    return { status: "needs-data", reason, isCritical: open.length === 0, isUnsure };
  });
}

/** A skill that is not there yet is wanted by a person or not at all, whatever it may reach. */
function newcomer({ manifest, source }: Skill): string {
  const nothing = { ...manifest, capabilities: {} };
  const reach = capabilityDiff({ manifest: nothing, source: "" }, { manifest, source });
  return `a new skill: ${reach.length === 0 ? "it may reach nothing" : reach.join(", ")}`;
}

const UNGROUNDED =
  "nothing but the visible cases speaks for it: no held-out case was asked, and nobody weighed it against other repairs";

/**
 * Whether more than the visible cases speaks for a candidate. Answers learnt by heart satisfy them in
 * endless disguises, and so does deleting what a case trips over (Kali: Qi, Long, Achour and Rinard,
 * ISSTA 2015), which is the right repair now and then. A ground is that it was weighed against what
 * else satisfies them, that it was served before, or what a vendor's recorded answers show.
 */
function hasGround({ confidence, origin }: Candidate): boolean {
  return confidence !== undefined || origin.proposer === "revert" || origin.proposer === "drift";
}

/** How sure a candidate is, naming an input of which a case would decide. */
function doubtIn({ confidence = 1, rivals = [] }: Candidate, isUnsure: boolean): string {
  const sure = `${Math.round(confidence * 100)} % sure`;
  const rival = rivals.find(({ differsOn }) => differsOn !== null);
  if (rival?.differsOn == null) {
    if (!isUnsure) return sure;
    return `${sure}: the cases leave too much open, one more would decide`;
  }
  const { input, chosen, rival: other } = rival.differsOn;
  return `${sure}: a case for the input (${input}) would decide; this repair gives ${chosen} there, another gives ${other} (${rival.reason})`;
}

function contractOf({
  signature,
  inputSchema,
  outputSchema,
}: Parameters<Gate["check"]>[1]["skill"]): string {
  return canonical({ name: signature.name, inputSchema, outputSchema });
}

/** The person whose rollback is the active version, as the history has it; hone's own do not count. */
export async function takenBackBy(
  skill: Skill,
  repository: Pick<Repository, "info">,
): Promise<string | null> {
  if (isUnborn(skill)) return null;
  const { version } = skill;
  const by = (await repository.info(version)).trailers["Hone-Rollback-By"];
  return by === undefined || by === "hone" ? null : by;
}
