import type { JSX } from "preact";
import type { WhyIncident } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge, State } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { counted, reward } from "../parts/figures.ts";
import { JsonBlock } from "../parts/json.tsx";
import { SkillLink } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { Time } from "../parts/time.tsx";

/** One incident: what fell short, where it may come from, and what was tried. */
export function IncidentPage({ id }: { readonly id: string }): JSX.Element {
  const answer = useAnswer<WhyIncident>("why", { skill: id });
  return <Loaded answer={answer}>{(data) => <Found of={data} />}</Loaded>;
}

function Found({ of }: { readonly of: WhyIncident }): JSX.Element {
  return (
    <>
      <div class="title">
        <h1 class="clamp">{of.summary}</h1>
        <State of={of.state} />
      </div>
      <p class="row-head">
        <SkillLink name={of.skill} />
        <Badge>{of.failureClass}</Badge>
        <span class="muted">
          {counted(of.runs, "run")}, opened <Time at={of.openedAt} />
        </span>
      </p>
      {of.note === "" ? null : <p class="lead wrap">{of.note}</p>}
      {of.failingCase === null ? null : (
        <Card title="The case that fails">
          <JsonBlock of={of.failingCase.args} label="Arguments" />
        </Card>
      )}
      <Card title="Candidates" flush>
        {of.candidates.length === 0 ? <Empty>No candidate was verified.</Empty> : null}
        <ul class="rows">
          {of.candidates.map((each) => (
            <li key={each.candidate} class="row">
              <span class="row-head">
                <strong>{each.operator}</strong> <State of={each.state} />
                <span class="push muted">{reward(each.reward)}</span>
              </span>
              <span class="row-text clamp">{each.change}</span>
              <span class="row-text muted clamp">{each.reason}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
