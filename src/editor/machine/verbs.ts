import type { Edit } from "../../domain/candidate.ts";
import type { Finding, Instrumented, Mutation, SourceText, Watched } from "../../ports/editor.ts";
import type { Program } from "../../domain/skill.ts";
import type { EditorVerb } from "../protocol.ts";
import { parse } from "../syntax.ts";
import { lineEndOf, splice, withLineEnds } from "../splices.ts";
import { inspectMachine, machineIn, machineProgram } from "./inspect-machine.ts";
import { machineEdits } from "./machine-edits.ts";
import { machinePolicy } from "./machine-policy.ts";

/**
 * What the editor answers for a machine, by verb. A machine is data: nothing in it can be
 * instrumented, probed or carried in variants, so those who ask go without.
 */
export const MACHINE_VERBS: Partial<Record<EditorVerb, (...args: never[]) => unknown>> = {
  inspect: inspectMachine,
  newTypeErrors: (_before: SourceText, after: SourceText): readonly Finding[] => {
    const inspected = inspectMachine(after);
    return inspected.status === "unsound" ? inspected.problems : [];
  },
  policyFindings: machinePolicy,
  instrument: (source: SourceText): Instrumented => ({ program: programOf(source), sites: [] }),
  enumerate,
  variants: () => null,
  watchPatterns: (source: SourceText): Watched => ({ program: programOf(source), sites: [] }),
  syntaxRepairs: () => [],
  probe: () => null,
  synthesise: () => [],
  driftEdits: () => [],
};

function programOf(source: SourceText): Program {
  return machineProgram(parse(source.text, source.language));
}

/** Changes that leave a sound machine behind: the model checker sees each before it may run. */
function enumerate(
  source: SourceText,
  search: { readonly events?: readonly string[]; readonly offset: number; readonly limit: number },
): readonly Mutation[] {
  const file = parse(source.text, source.language);
  const read = machineIn(file);
  if (read === null) return [];
  const known = read.machine.root.transitions.map(({ on }) => on);
  const events = [...new Set([...(search.events ?? []), ...known])].filter(isEvent);
  const lineEnd = lineEndOf(source.text);
  const all = machineEdits(read, events).flatMap(({ edits, operator, prior }): Mutation[] => {
    const splices = edits.map((edit) => ({ ...edit, text: withLineEnds(edit.text, lineEnd) }));
    const text = splice(source.text, splices);
    const inspected = inspectMachine({ ...source, text });
    if (inspected.status === "unsound") return [];
    return [
      { edits: splices satisfies readonly Edit[], operator, prior, program: inspected.program },
    ];
  });
  return all.slice(search.offset, search.offset + search.limit);
}

/** Names that a task may send, not those of the machine's own doing. */
function isEvent(on: string): boolean {
  return on !== "always" && on !== "onDone" && !/^(?:after|invoke) /.test(on);
}
