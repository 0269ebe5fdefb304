import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { Activity, Skill, Status, Waiting, WaitingDetail, Why } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { confirm } from "../parts/confirmation.tsx";
import { TextDiff } from "../parts/diff.tsx";
import { counted } from "../parts/figures.ts";
import { SkillLink } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { useKeys } from "../state/keys.ts";
import { go } from "../state/route.ts";

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
  const shown = waiting.find(({ candidate }) => candidate === chosen) ?? waiting[0];
  if (shown === undefined) {
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
                  aria-current={each === shown ? "true" : undefined}
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
      <Detail key={shown.candidate} waiting={shown} by={by} />
    </div>
  );
}

function Detail({ waiting, by }: { readonly waiting: Waiting; readonly by: string }): JSX.Element {
  const { candidate, skill, change, confidence, reason } = waiting;
  const why = useAnswer<Why>("why", { skill });
  const now = useAnswer<Skill>("skill", { name: skill });
  const decide = (verb: "approve" | "reject"): void => decision(verb, waiting, by);
  useKeys({ a: () => decide("approve"), r: () => decide("reject") });
  const found = why.value.data?.waiting?.find(
    (each: WaitingDetail) => each.candidate === candidate,
  );
  return (
    <div class="detail">
      <Card
        title="What waits"
        aside={
          <>
            <button type="button" class="grave" onClick={() => decide("reject")}>
              Reject
            </button>
            <button type="button" class="primary" onClick={() => decide("approve")}>
              Approve
            </button>
          </>
        }
      >
        <p class="row-head">
          <SkillLink name={skill} />
          {confidence === null ? null : <Badge>{Math.round(confidence * 100)} % sure</Badge>}
        </p>
        <p class="wrap">{change}</p>
        <p class="note warn wrap">{reason}</p>
      </Card>
      <Card title="What changes" flush>
        {found === undefined || now.value.data === null ? null : (
          <TextDiff name="skill.ts" before={now.value.data.source} after={found.source} />
        )}
      </Card>
    </div>
  );
}

function decision(
  verb: "approve" | "reject",
  { candidate, skill, change }: Waiting,
  by: string,
): void {
  const isApproval = verb === "approve";
  confirm({
    title: isApproval ? `Approve the change of ${skill}?` : `Reject the change of ${skill}?`,
    text: isApproval
      ? `${change}. It is verified once more and released as a commit in your name, ${by}.`
      : `${change}. It is not offered again; the next try waits longer.`,
    verb: isApproval ? "Approve" : "Reject",
    isGrave: !isApproval,
    perform: async () => {
      await ask(verb, { candidate, by });
      return isApproval ? `${skill}: the change is released.` : `${skill}: the change is rejected.`;
    },
  });
}
