import { ts } from "ts-morph";
import type { DriftEvidence } from "../../../domain/drift.ts";
import type { DriftEdit, Template } from "./drift-scene.ts";
import { idType } from "./id-type.ts";
import { movedEndpoint } from "./moved-endpoint.ts";
import { paging } from "./paging.ts";
import { renamedField } from "./renamed-field.ts";
import { retryAfter } from "./retry-after.ts";

const TEMPLATES: readonly Template[] = [movedEndpoint, retryAfter, renamedField, paging, idType];

/** The most repairs of one template that are worth a trial. */
const MOST = 16;

/**
 * Repairs of a source that follow what a vendor changed, the likeliest first in each template.
 * Reads the evidence and the syntax tree, and runs nothing.
 */
export function driftEdits(
  source: { readonly text: string; readonly language: "ts" | "js" },
  evidence: DriftEvidence,
): DriftEdit[] {
  const name = source.language === "ts" ? "skill.ts" : "skill.js";
  const file = ts.createSourceFile(name, source.text, ts.ScriptTarget.Latest, true);
  return TEMPLATES.flatMap((template) =>
    distinct([...template({ file, evidence })]).slice(0, MOST),
  );
}

/** Of equal repairs the first, whose reason is the surest. */
function distinct(repairs: readonly DriftEdit[]): DriftEdit[] {
  const byEdits = Map.groupBy(repairs, ({ edits }) => JSON.stringify(edits));
  return [...byEdits.values()].flatMap(([first]) => first ?? []);
}
