import type { JSX } from "preact";
import type { Gate } from "../api/records.ts";
import { State } from "./badge.tsx";
import { duration } from "./time.tsx";

const SIGNS: Readonly<Record<string, string>> = {
  pass: "✓",
  fail: "✕",
  "needs-data": "?",
  "infra-error": "!",
};

/** The gates that a candidate came to, in a line: what each said, and where it ended. */
export function GateLine({
  gates,
}: {
  readonly gates: readonly Pick<Gate, "gate" | "status" | "reason">[];
}): JSX.Element {
  return (
    <ul class="gate-line" aria-label="Gates">
      {gates.map(({ gate, status, reason }) => (
        <li
          key={gate}
          class={status}
          title={reason === "" ? `${gate}: ${status}` : `${gate}: ${reason}`}
        >
          <span aria-hidden="true">{SIGNS[status] ?? "·"}</span> {gate}
          <span class="sr-only"> {status}</span>
        </li>
      ))}
    </ul>
  );
}

/** The same with times and reasons. */
export function GateList({ gates }: { readonly gates: readonly Gate[] }): JSX.Element {
  return (
    <ol class="gate-list">
      {gates.map(({ gate, status, reason, durationMs }) => (
        <li key={gate}>
          <span>{gate}</span>
          <span>
            <State of={gate === "approval" && status === "needs-data" ? "waiting" : status} />
          </span>
          <span class="num muted">{duration(durationMs)}</span>
          <span class="reason wrap">{reason}</span>
        </li>
      ))}
    </ol>
  );
}
