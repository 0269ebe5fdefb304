import type { JSX } from "preact";
import type { Candidate } from "../api/records.ts";
import { Card } from "../parts/card.tsx";
import { Empty } from "../parts/loaded.tsx";

/** What a change may reach that the version before may not. */
export function Reach({ capabilities }: Pick<Candidate, "capabilities">): JSX.Element {
  return (
    <Card title="What it may reach">
      {capabilities === null ? <Empty>It cannot be told: the version before is lost.</Empty> : null}
      {capabilities?.length === 0 ? (
        <p class="muted">Nothing more, and nothing less, than before.</p>
      ) : null}
      <ul class="reach">
        {(capabilities ?? []).map((each) => (
          <li key={each} class={each.startsWith("+") ? "new" : "gone"}>
            <code class="wrap">{each}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Other repairs that satisfy the same cases, and an input that would decide. */
export function Rivals({ rivals }: Pick<Candidate, "rivals">): JSX.Element | null {
  if (rivals.length === 0) return null;
  return (
    <Card title="What it was chosen over" flush>
      <ul class="rows">
        {rivals.map(({ reason, confidence, differsOn }) => (
          <li key={reason} class="row">
            <span class="wrap">
              {reason} <span class="muted">({Math.round(confidence * 100)} % sure)</span>
            </span>
            {differsOn === null ? null : (
              <span class="row-text mono wrap">
                on {differsOn.input}: this one {differsOn.chosen}, that one {differsOn.rival}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
