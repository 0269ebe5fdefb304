import type { Edit, Proposal } from "../../domain/candidate.ts";
import type { SearchPart } from "../../domain/search-part.ts";
import type { Mutation } from "../../ports/editor.ts";
import type { ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { agreementOf, type AgreePorts, type Agreement } from "./agree.ts";
import { byRank } from "./by-rank.ts";
import { chosenOf, type Chosen } from "./choose.ts";
import { evidenceOf, type Evidence } from "./evidence.ts";
import { inTime } from "./in-time.ts";
import { saysOfMachine } from "./machine-operators.ts";
import { OPERATORS, isOperatorName } from "./operator-table.ts";

/** A round of questions that takes this many times as long as all of them may is given up. */
const PATIENCE = 1.25;

/** What is weighed, and against what. */
export type Work = {
  readonly request: ProposalRequest;
  /** Time for asking what the edits do, in milliseconds. */
  readonly askingMs: number;
  /** Programs looked at until the first find. */
  readonly first: number;
  readonly ports: Omit<AgreePorts, "isOver"> & {
    readonly now: () => number;
    readonly without: readonly SearchPart[];
  };
  /** What was proposed already. What is found later is held against it, and it is not proposed twice. */
  readonly proposed: Set<Mutation>;
};

/**
 * Plausible edits as proposals, the surest behaviour first: those that were not proposed before,
 * weighed against all that were found.
 */
export async function newProposals(
  found: readonly Mutation[],
  { request, ports, proposed, askingMs, first }: Work,
  signal: AbortSignal,
): Promise<readonly ProposalNews[]> {
  if (found.every((one) => proposed.has(one))) return [];
  const { skill, diagnosis, seed } = request;
  const evidence = ({ promise }: Agreement): Evidence =>
    evidenceOf(diagnosis.judged, { first, promise });
  const says = ({ edits, operator }: Mutation): string => reasonOf(skill.source, edits, operator);
  const isWeighed = !ports.without.includes("agreement");
  const agreement = isWeighed ? await agreed(found, { request, ports, askingMs }, signal) : null;
  const all = agreement === null ? byRank(found) : chosenOf(agreement, evidence(agreement), says);
  const chosen = all.filter(({ mutation }) => !proposed.has(mutation));
  for (const { mutation } of chosen) proposed.add(mutation);
  return chosen.map((one) => {
    const { mutation, confidence, rivals } = one;
    const origin = {
      proposer: "search",
      operator: mutation.operator,
      seed,
      parent: null,
    } as const;
    const reason = `${says(mutation)} ${sureness(one)}`;
    const proposal: Proposal = { edits: mutation.edits, origin, reason, confidence, rivals };
    return { kind: "proposal", proposal };
  });
}

/** What plausible edits do on questions, as far as there is time to ask any. */
async function agreed(
  found: readonly Mutation[],
  { request, ports, askingMs }: Omit<Work, "proposed" | "first">,
  signal: AbortSignal,
): Promise<Agreement> {
  const endsAt = ports.now() + askingMs;
  const asking = { ...ports, isOver: () => ports.now() >= endsAt };
  const asked = (until: AbortSignal) => agreementOf(found, request, asking, until);
  const may = { leftMs: askingMs * PATIENCE, otherwise: null };
  const silent = { ...asking, isOver: () => true };
  return (await inTime(asked, may, signal)) ?? (await agreementOf(found, request, silent, signal));
}

/** `(confidence 0.83: 3 plausible alike, 1 do otherwise)`. */
function sureness({ confidence, alike, rivals }: Chosen): string {
  const others = rivals.length === 0 ? "none does otherwise" : `${rivals.length} do otherwise`;
  return `(confidence ${confidence.toFixed(2)}: ${alike} plausible alike, ${others})`;
}

/** `changes a comparison on line 3: "<" becomes "<="`. */
function reasonOf(source: string, edits: readonly Edit[], operator: string): string {
  const says = isOperatorName(operator)
    ? OPERATORS[operator].says
    : (saysOfMachine(operator) ?? "two places");
  const [first, ...rest] = edits.filter((edit) => edit.op === "splice");
  if (first === undefined) return `changes ${says}`;
  const last = rest.at(-1) ?? first;
  const line = source.slice(0, first.start).split("\n").length;
  const before = clip(source.slice(first.start, last.end));
  let after = first.text;
  let at = first.end;
  for (const splice of rest) {
    after += source.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  const change =
    before === ""
      ? `adds ${JSON.stringify(clip(after))}`
      : `${JSON.stringify(before)} becomes ${JSON.stringify(clip(after))}`;
  return `changes ${says} on line ${line}: ${change}`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
