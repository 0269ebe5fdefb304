import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { IncidentDetail } from "../api/records.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge, State } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { confirm } from "../parts/confirmation.tsx";
import { counted } from "../parts/figures.ts";
import { Commit, SkillLink } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { Progress } from "../parts/progress.tsx";
import { Source } from "../parts/source.tsx";
import { Time } from "../parts/time.tsx";
import { Claims } from "./incident-claims.tsx";
import { Evidence, Runs } from "./incident-evidence.tsx";
import { Groups } from "./incident-groups.tsx";

/** One incident: what fell short, where it may come from, and what was tried. */
export function IncidentPage({ id }: { readonly id: string }): JSX.Element {
  const answer = useAnswer<IncidentDetail>("incident", { id });
  return <Loaded answer={answer}>{(data) => <Found of={data} />}</Loaded>;
}

function Found({ of }: { readonly of: IncidentDetail }): JSX.Element {
  const { diagnosis, source } = of;
  return (
    <>
      <Heading of={of} />
      <Progress incident={of.incident} />
      <div class="columns">
        <Evidence of={of} />
        <Card title="Where the fault may lie" flush>
          {source === null ? (
            <Empty>The source of this version cannot be read.</Empty>
          ) : (
            <Source text={source} suspicious={diagnosis?.suspicious ?? []} />
          )}
        </Card>
      </div>
      <Claims of={of.claims} />
      <Groups groups={of.groups} />
      <Runs examples={of.examples} all={of.runs} />
      <Releases releases={of.releases} />
    </>
  );
}

function Heading({ of }: { readonly of: IncidentDetail }): JSX.Element {
  const { incident, skill, state, failureClass, summary, runs, openedAt, nextAt, note } = of;
  const isOver = ["repaired", "closed", "invalid-task"].includes(state);
  const stands = of.releases.some((one) => one.reverts === null && one.state !== "rolled-back");
  const isLost = state === "repaired" && of.releases.length > 0 && !stands;
  return (
    <>
      <div class="title">
        <h1 class="clamp" title={summary}>
          {summary}
        </h1>
        {isOver ? null : (
          <button type="button" onClick={() => tryNow(skill)}>
            Try a repair now
          </button>
        )}
      </div>
      <p class="row-head">
        <SkillLink name={skill} />
        <State of={state} />
        {isLost ? <Badge tone="bad">taken back since</Badge> : null}
        {of.claims.length === 0 ? null : <Badge tone="warn">claimed</Badge>}
        <Badge>{failureClass}</Badge>
        <span class="muted">
          {counted(runs, "run")} · opened <Time at={openedAt} />
          {nextAt === null ? null : (
            <>
              {" · tried again "}
              <Time at={nextAt} />
            </>
          )}
        </span>
        <code class="push muted">{incident}</code>
      </p>
      {note === "" ? null : <p class="lead wrap">{note}</p>}
    </>
  );
}

function tryNow(skill: string): void {
  confirm({
    title: `Repair ${skill} now?`,
    text: "The pause is not waited for. What passes every gate is released.",
    verb: "Try now",
    perform: async () => {
      const { result } = await ask<{ result: string }>("improve", { skill });
      return `${skill}: ${result.replaceAll("-", " ")}`;
    },
  });
}

function Releases({ releases }: Pick<IncidentDetail, "releases">): JSX.Element | null {
  if (releases.length === 0) return null;
  return (
    <Card title="What came of it" flush>
      <ul class="rows">
        {releases.map(({ commit, state, reverts, releasedAt, reason }) => (
          <li key={commit} class="row">
            <span class="row-head">
              <Commit id={commit} />
              {reverts === null ? <State of={state} /> : <Badge tone="bad">rollback</Badge>}
              <span class="push muted">
                <Time at={releasedAt} />
              </span>
            </span>
            <span class="row-text clamp">{reason}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
