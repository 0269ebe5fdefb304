import { canonical } from "../domain/json.ts";
import type { JudgedCase } from "../domain/incident.ts";
import type { Skill } from "../domain/skill.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Gate } from "../ports/gate.ts";
import type { HeldOut } from "../ports/held-out.ts";
import { callCount } from "./conduct/call-count.ts";
import { conditions } from "./conduct/conditions.ts";
import { detect } from "./conduct/detect.ts";
import { sceneOf } from "./conduct/scene.ts";
import { questioned } from "./questioned.ts";
import { gate, type Finding } from "./verdict.ts";
import { isUnrecorded } from "./regression.ts";

export type HeldOutPorts = ExaminePorts & {
  readonly now: () => number;
  readonly heldOut: HeldOut;
  readonly minimum: number;
  /** Counts a look and returns how many there were. */
  readonly countLook: (skill: Skill) => number;
};

/**
 * Cases that nobody who proposes has seen: all that passed on the parent pass, and either all pass
 * or more than before; and their answers hold on another day, elsewhere and at any call. The reason gives counts only: no input and no answer leaves this gate.
 */
export function heldOutGate(ports: HeldOutPorts): Gate {
  return gate("held-out", ports.now, async (_candidate, { skill, patched, diagnosis }, signal) => {
    const asked = canonical(diagnosis.failing.case.args);
    const all = await ports.heldOut.cases(skill);
    // A run that was set aside and turned out to be wrong asks for what the repair is to change.
    const cases = all.filter((of) => of.isRecorded !== true || canonical(of.args) !== asked);
    if (cases.length < ports.minimum) {
      const reason = `${cases.length} held-out cases, ${ports.minimum} are the minimum`;
      return { status: "needs-data", reason };
    }
    const look = ports.countLook(skill);
    const before = await questioned({ skill, cases }, ports, signal);
    const after = await questioned({ skill: patched, cases }, ports, signal);
    const usable = cases.flatMap((_, at) => {
      const [old, now] = [before.judged[at], after.judged[at]];
      return old !== undefined && now !== undefined && !isUnrecorded(now) ? [{ old, now }] : [];
    });
    const lost = usable.filter(({ old, now }) => old.passed && !now.passed).length;
    const wonBack = usable.filter(({ old, now }) => !old.passed && now.passed).length;
    const failing = usable.filter(({ now }) => !now.passed).length;
    const unseenPassed = usable.length - failing;
    const counts = `${unseenPassed} of ${usable.length} pass, look ${look}`;
    if (lost > 0) return { status: "fail", reason: `${lost} that passed fail (${counts})` };
    if (failing > 0 && wonBack === 0) return { status: "fail", reason: `no gain (${counts})` };
    if (usable.length >= ports.minimum) {
      const conduct = await conductOn(usable, { skill, patched }, ports, signal);
      if (conduct !== null) return { ...conduct, reason: `${conduct.reason} (${counts})` };
    }
    return usable.length < ports.minimum
      ? { status: "needs-data", reason: `too few can be asked (${counts})` }
      : { status: "pass", reason: counts, unseenPassed };
  });
}

/** Whether the answers hold on another day, elsewhere and at any call; null: they do. */
async function conductOn(
  usable: readonly { readonly old: JudgedCase; readonly now: JudgedCase }[],
  skills: { readonly skill: Skill; readonly patched: Skill },
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<Finding | null> {
  const cases = usable.map(({ old }) => ({ case: old.case, passed: old.passed }));
  const found = await detect([callCount, conditions], await sceneOf(skills, cases, ports, signal));
  if (found === null) return null;
  const status = found.isUnsure ? "needs-data" : "fail";
  return { status, reason: `${found.detector} shows on them` };
}
