import { spliceBetween } from "../domain/splice-between.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Editor } from "../ports/editor.ts";
import type { Gate, GateContext } from "../ports/gate.ts";
import { questioned } from "./questioned.ts";
import { gate, type Finding } from "./verdict.ts";

/**
 * The incident's case fails on the parent and passes on the candidate. With an execution witness:
 * an instrumented copy of the candidate passes at least one of the changed places on the way, else
 * whatever made the case pass was not the change.
 */
export function failingCaseGate(
  ports: ExaminePorts & { readonly editor: Editor; readonly now: () => number },
): Gate {
  return gate("failing-case", ports.now, async (_candidate, context, signal) => {
    const { failing } = context.diagnosis;
    if (failing.passed)
      return { status: "fail", reason: "no improvement: the case passes already" };
    const { judged, recorded } = await questioned(
      { skill: context.patched, cases: [failing.case] },
      ports,
      signal,
    );
    const [after] = judged;
    if (after === undefined || !after.passed) {
      return { status: "fail", reason: after?.reason ?? "no answer", score: 0 };
    }
    const witnessed = await witness(context, ports, signal);
    return { ...witnessed, recorded: recorded.flat() };
  });
}

async function witness(
  { skill, patched, diagnosis }: GateContext,
  ports: ExaminePorts & { readonly editor: Editor },
  signal: AbortSignal,
): Promise<Finding> {
  if (diagnosis.failing.outcome.status === "not-loaded") {
    return { status: "pass", reason: "the source, which could not be loaded, is run" };
  }
  const source = {
    text: patched.source,
    language: patched.language,
    entry: patched.signature.name,
  };
  const { program, sites } = await ports.editor.instrument(source, signal);
  const [start, end] = changedRange(skill.source, patched.source);
  const changed = sites.flatMap((site, at) => (site.start < end && site.end > start ? [at] : []));
  const cases = [diagnosis.failing.case];
  const { hits } = await questioned(
    { skill: patched, cases, program, witness: true },
    ports,
    signal,
  );
  const passed = changed.filter((at) => hits[0]?.includes(at));
  return changed.length > 0 && passed.length === 0
    ? { status: "fail", reason: "the changed lines did not run in the case they are to repair" }
    : { status: "pass", reason: `${passed.length} of ${changed.length} changed places ran` };
}

/** The range of the new text that is not in the old; at least the place of a deletion. */
function changedRange(before: string, after: string): readonly [number, number] {
  const { start, text } = spliceBetween(before, after);
  return [start, start + Math.max(1, text.length)];
}
