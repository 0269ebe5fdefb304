import { context, createContextKey, trace, type Span } from "@opentelemetry/api";
import type { Candidate } from "../../domain/candidate.ts";
import type { Gate, GateContext } from "../../ports/gate.ts";
import type { House } from "../../ports/house.ts";
import type { ProposalNews, ProposalRequest, Proposer } from "../../ports/proposer.ts";
import type { Store } from "../../ports/store.ts";
import { fail, inSpan, startSpan } from "./in-span.ts";

/** The span `hone.reflect` of an improvement, while it lasts. */
type Phase = { reflect: Span | null };

const PHASE = createContextKey("hone's phase of an improvement");

/** Improvements in a span each, within which the spans of their parts lie. */
export function improvementsIn(oneAtATime: House["alone"]): House["alone"] {
  return async (work) =>
    await oneAtATime(async () => {
      const phase: Phase = { reflect: null };
      const within = context.active().setValue(PHASE, phase);
      return await inSpan("hone.repair", { within }, work).finally(() => endReflection(phase));
    });
}

/** What the ledger is told says when reflection begins. */
export function reflectionsIn(store: Store): Pick<Store, "setIncident"> {
  return {
    setIncident(id, change) {
      store.setIncident(id, change);
      const phase = context.active().getValue(PHASE) as Phase | undefined;
      if (phase === undefined || change.state !== "improving") return;
      const attributes = { "hone.incident": id };
      trace.getActiveSpan()?.setAttributes(attributes);
      phase.reflect ??= startSpan("hone.reflect", { attributes });
    },
  };
}

function endReflection(phase = context.active().getValue(PHASE) as Phase | undefined): void {
  phase?.reflect?.end();
  if (phase !== undefined) phase.reflect = null;
}

/** A proposer, each of its turns in a span `hone.propose`. */
export function tracedProposer(proposer: Proposer): Proposer {
  return { ...proposer, propose: (request, signal) => proposals(proposer, request, signal) };
}

async function* proposals(
  proposer: Proposer,
  request: ProposalRequest,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  endReflection();
  const attributes = { "hone.proposer": proposer.name, "hone.skill": request.skill.name };
  const span = startSpan("hone.propose", { attributes });
  const within = trace.setSpan(context.active(), span);
  const news = context.bind(within, proposer.propose(request, signal)[Symbol.asyncIterator]());
  const counts = { proposals: 0, tried: 0 };
  try {
    for (;;) {
      const next = await context.with(within, async () => await news.next());
      if (next.done === true) return;
      if (next.value.kind === "proposal") counts.proposals += 1;
      else counts.tried += next.value.programs;
      yield next.value;
    }
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    await news.return?.();
    span.setAttributes({ "hone.proposals": counts.proposals, "hone.tried": counts.tried });
    span.end();
  }
}

/**
 * The gates, each with a span within `hone.verify` of its candidate. That begins with the first gate
 * and ends with the verdict after which no other is asked for.
 */
export function tracedGates(gates: readonly Gate[]): readonly Gate[] {
  const verifying = new Map<string, Span>();
  return gates.map((gate, at) => ({
    name: gate.name,
    async check(candidate: Candidate, of: GateContext, signal: AbortSignal) {
      endReflection();
      const { id, skill, origin } = candidate;
      const attributes = {
        "hone.candidate": id,
        "hone.skill": skill,
        "hone.proposer": origin.proposer,
      };
      const verify = verifying.get(id) ?? startSpan("hone.verify", { attributes });
      verifying.set(id, verify);
      const end = (): void => {
        verifying.delete(id);
        verify.end();
      };
      try {
        const within = trace.setSpan(context.active(), verify);
        const name = `hone.gate ${gate.name}`;
        const verdict = await inSpan(name, { within }, async (span) => {
          const said = await gate.check(candidate, of, signal);
          span.setAttributes({ "hone.gate": gate.name, "hone.verdict": said.status });
          return said;
        });
        const isLast = at === gates.length - 1;
        const { status } = verdict;
        verify.setAttribute("hone.verdict", status);
        if (isLast || status === "fail" || status === "infra-error") end();
        return verdict;
      } catch (error) {
        fail(verify, error);
        end();
        throw error;
      }
    },
  }));
}
