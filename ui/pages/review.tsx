import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { Activity, Candidate, Status, Waiting } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { confirm } from "../parts/confirmation.tsx";
import { TextDiff } from "../parts/diff.tsx";
import { counted } from "../parts/figures.ts";
import { GateTable } from "../parts/gates.tsx";
import { IncidentLink, SkillLink } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { useKeys } from "../state/keys.ts";
import { go } from "../state/route.ts";
import { Reach, Rivals } from "./review-facts.tsx";

/** What waits for a person: the list, and the candidate that was chosen of it. */
export function ReviewPage({ candidate }: { readonly candidate: string | null }): JSX.Element {
  const status = useAnswer<Status>("status");
  const activity = useAnswer<Activity>("activity", { days: 1 });
  const by = activity.value.data?.you ?? "dashboard";
  return (
    <>
      <div class="title">
        <h1>Review</h1>
        <span class="muted keys-hint">
          <kbd>j</kbd> <kbd>k</kbd> choose · <kbd>a</kbd> approve · <kbd>r</kbd> reject
        </span>
      </div>
      <Loaded answer={status}>
        {({ waiting }) => <Queue waiting={waiting} chosen={candidate} by={by} />}
      </Loaded>
    </>
  );
}

function Queue({
  waiting,
  chosen,
  by,
}: {
  readonly waiting: readonly Waiting[];
  readonly chosen: string | null;
  readonly by: string;
}): JSX.Element {
  const shown = chosen ?? waiting[0]?.candidate ?? null;
  if (shown === null) {
    return (
      <Card title="Nothing waits for you">
        <Empty>
          Changes that are critical, or of which too little is known, wait here for your word.
        </Empty>
      </Card>
    );
  }
  return (
    <div class="queue">
      <nav aria-label="Waiting changes">
        <Card title={counted(waiting.length, "change")} flush>
          <ul class="rows">
            {waiting.map((each) => (
              <li key={each.candidate}>
                <a
                  class="row"
                  data-row
                  href={`/review/${encodeURIComponent(each.candidate)}`}
                  aria-current={each.candidate === shown ? "true" : undefined}
                  onFocus={() => go(`/review/${encodeURIComponent(each.candidate)}`)}
                >
                  <strong class="wrap">{each.skill}</strong>
                  <span class="row-text clamp">{each.change}</span>
                </a>
              </li>
            ))}
          </ul>
        </Card>
      </nav>
      <Detail key={shown} id={shown} by={by} />
    </div>
  );
}
