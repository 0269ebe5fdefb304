import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { Activity, Status, Waiting } from "../api/answers.ts";
import type { Candidate } from "../api/records.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge, State } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { confirm } from "../parts/confirmation.tsx";
import { TextDiff } from "../parts/diff.tsx";
import { counted } from "../parts/figures.ts";
import { GateList } from "../parts/gates.tsx";
import { SkillLink } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { useKeys } from "../state/keys.ts";
import { Reach, Rivals } from "./review-facts.tsx";
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
  const shown = chosen ?? waiting[0]?.candidate;
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

/** A candidate whole; one that does not wait any more can be read, but not decided upon. */
function Detail({ id, by }: { readonly id: string; readonly by: string }): JSX.Element {
  const answer = useAnswer<Candidate>("candidate", { id });
  const candidate = answer.value.data;
  const decide = (verb: "approve" | "reject"): void => {
    if (candidate?.state === "waiting") decision(verb, candidate, by);
  };
  useKeys({ a: () => decide("approve"), r: () => decide("reject") });
  return (
    <div class="detail">
      <Loaded answer={answer}>{(data) => <Whole of={data} decide={decide} />}</Loaded>
    </div>
  );
}

function Whole({
  of,
  decide,
}: {
  readonly of: Candidate;
  readonly decide: (verb: "approve" | "reject") => void;
}): JSX.Element {
  const { skill, incident, change, confidence, proposer, operator, model, file, source } = of;
  return (
    <>
      <Card title="What waits" aside={<Decide of={of} decide={decide} />}>
        <p class="row-head">
          <SkillLink name={skill} />
          <State of={of.state} />
          {confidence === null ? null : <Badge>{Math.round(confidence * 100)} % sure</Badge>}
          <span class="muted wrap">
            by {proposer}: {model ?? operator}
          </span>
          <a class="push" href={`/incidents/${encodeURIComponent(incident)}`}>
            its incident
          </a>
        </p>
        <p class="wrap">{change}</p>
        {of.waitsFor === "" ? null : <p class="note warn wrap">{of.waitsFor}</p>}
      </Card>
      <Card title="What changes" flush>
        <TextDiff name={file} before={of.parentSource ?? ""} after={source} />
      </Card>
      <Reach capabilities={of.capabilities} />
      <Rivals rivals={of.rivals} />
      <Card title="Gates" flush>
        <GateList gates={of.gates} />
      </Card>
    </>
  );
}

function Decide({
  of: { state },
  decide,
}: {
  readonly of: Candidate;
  readonly decide: (verb: "approve" | "reject") => void;
}): JSX.Element | null {
  if (state !== "waiting") return null;
  return (
    <>
      <button type="button" class="grave" onClick={() => decide("reject")}>
        Reject
      </button>
      <button type="button" class="primary" onClick={() => decide("approve")}>
        Approve
      </button>
    </>
  );
}

function decision(
  verb: "approve" | "reject",
  { candidate, skill, change }: Candidate,
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
