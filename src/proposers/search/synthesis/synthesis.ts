import type { Editor, Mutation } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import type { ProbePorts } from "./probing.ts";
import { recordingOf } from "./recording.ts";

/** Holes that are looked at, and how many of them before what was made is put to the cases. */
const MOST_HOLES = 32;
const AT_ONCE = 4;

/** Values computed for one hole: little for all of them first, then more for each. */
const WORK = [100_000, 800_000];

/** Mutations of one batch. */
const BATCH = 512;

export type SynthesisPorts = ProbePorts & {
  readonly editor: Editor;
  /** Whether the time for synthesis is over. */
  readonly isOver: () => boolean;
};

/**
 * New expressions for the likeliest places. The visible cases are run once through a probe that
 * notes what is in scope, and the failing one some hundred times with values forced into the holes;
 * expressions are then built over what was noted, and those that can make the failing cases pass
 * become changes like all others: component-based synthesis as in SemFix (Nguyen et al., ICSE 2013),
 * Nopol (Xuan et al., TSE 2017) and DynaMoth (Durieux and Monperrus, AST 2016), with enumeration in
 * the place of a solver.
 */
export async function* synthesised(
  request: ProposalRequest,
  ports: SynthesisPorts,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const { skill, diagnosis } = request;
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const search = { suspicions: diagnosis.suspicions, limit: MOST_HOLES };
  const probe = await ports.editor.probe(source, search, signal);
  if (probe === null || ports.isOver()) return;
  const recording = await recordingOf(probe, request, ports, signal);
  const holes = recording.flatMap((noted, hole) => (noted === null ? [] : [{ hole, noted }]));
  const seen = new Set<string>();
  for (const work of WORK) {
    for (let at = 0; at < holes.length && !ports.isOver(); at += AT_ONCE) {
      const made: Mutation[] = [];
      for (const { hole, noted } of holes.slice(at, at + AT_ONCE)) {
        if (ports.isOver()) break;
        const asked = { ...search, hole, work };
        made.push(...(await ports.editor.synthesise(source, asked, noted, signal)));
      }
      const fresh = made.filter((one) => isNew(one, seen)).toSorted((a, b) => b.prior - a.prior);
      for (let from = 0; from < fresh.length; from += BATCH) {
        if (from > 0 && ports.isOver()) return;
        yield fresh.slice(from, from + BATCH);
      }
    }
  }
}

function isNew({ edits }: Mutation, seen: Set<string>): boolean {
  const key = JSON.stringify(edits);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
