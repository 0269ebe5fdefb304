import type { JSX } from "preact";
import type { Gate } from "../api/answers.ts";
import { State } from "./badge.tsx";
import { duration } from "./time.tsx";

const SIGNS: Readonly<Record<string, string>> = {
  pass: "✓",
  fail: "✕",
  "needs-data": "?",
  "infra-error": "!",
};

/** The gates that a candidate came to, in a line: what each said, and where it ended. */
export function GateLine({ gates }: { readonly gates: readonly Gate[] }): JSX.Element {
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
export function GateTable({ gates }: { readonly gates: readonly Gate[] }): JSX.Element {
  return (
    <div class="scroll">
      <table class="gate-table">
        <thead>
          <tr>
            <th scope="col">Gate</th>
            <th scope="col">Verdict</th>
            <th scope="col" class="num">
              Time
            </th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {gates.map(({ gate, status, reason, durationMs }) => (
            <tr key={gate}>
              <th scope="row">{gate}</th>
              <td>
                <State of={status} />
              </td>
              <td class="num muted">{duration(durationMs)}</td>
              <td class="wide wrap">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
