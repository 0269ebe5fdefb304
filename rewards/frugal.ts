type Trace = { steps: { requests: { kind: string }[] }[]; outcome: { status: string } };
type Context = { with: { requests?: number } };
type Answer = { score: number; components: Record<string, number> } | null;

/**
 * An example of a reward of your own: was the run frugal? It falls once a run that returned made
 * more fetch requests than `requests` (default 1). Use it in a SKILL.md beside a reward that says
 * whether the result is right:
 *
 *     reward:
 *       threshold: 0.9
 *       parts:
 *         - { use: code, weight: 3, with: {} }
 *         - { use: frugal, weight: 1, with: { requests: 2 } }
 *
 * A reward is a pure function of the trace and its context: it is run twice, walled off, and refused
 * when the answers differ. `null` means that it says nothing of this run, which is not a zero.
 */
export function frugal(trace: Trace, context: Context): Answer {
  if (trace.outcome.status !== "returned") return null;
  const requests = trace.steps.flatMap((step) => step.requests);
  const made = requests.filter(({ kind }) => kind === "fetch").length;
  const allowed = context.with.requests ?? 1;
  const score = made <= allowed ? 1 : allowed / made;
  return { score, components: { requests: score } };
}
