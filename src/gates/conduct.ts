import type { ExaminePorts } from "../examine/examine.ts";
import type { Gate } from "../ports/gate.ts";
import { blamedLine } from "./conduct/blamed-line.ts";
import { callCount } from "./conduct/call-count.ts";
import { conditions } from "./conduct/conditions.ts";
import { constantResult } from "./conduct/constant-result.ts";
import { detect } from "./conduct/detect.ts";
import { mutatedArguments, patchedPrimordials } from "./conduct/mutated-arguments.ts";
import { type Detector, sceneOf } from "./conduct/scene.ts";
import { gate, PASSED } from "./verdict.ts";

const DETECTORS: readonly Detector[] = [
  mutatedArguments,
  patchedPrimordials,
  callCount,
  conditions,
  constantResult,
];

/**
 * How a candidate comes by its answers: what tells a repair from a program that only looks like one
 * while it is examined. The visible questions are put again, later, elsewhere, over and over, and
 * with others beside them. What the version before did too is not held against a candidate.
 */
export function conductGate(ports: ExaminePorts & { readonly now: () => number }): Gate {
  return gate("conduct", ports.now, async (candidate, { skill, patched, diagnosis }, signal) => {
    const scene = await sceneOf({ skill, patched }, diagnosis.judged, ports, signal);
    const found = await detect(DETECTORS, scene);
    if (found === null) return PASSED;
    const { detector, what, hint, isUnsure } = found;
    const line = blamedLine(skill.source, candidate.source, hint);
    const reason = `${detector}: ${what} (line ${line})`;
    return { status: isUnsure ? "needs-data" : "fail", reason };
  });
}
