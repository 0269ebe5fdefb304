import type { JSX } from "preact";
import type { CandidateRow, Group } from "../api/records.ts";
import { State } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { counted, difference, reward } from "../parts/figures.ts";
import { GateLine, GateList } from "../parts/gates.tsx";
import { Empty } from "../parts/loaded.tsx";
import { duration, Time } from "../parts/time.tsx";

/** Every group of candidates that worked on an incident, the newest first. */
export function Groups({ groups }: { readonly groups: readonly Group[] }): JSX.Element {
  if (groups.length === 0) {
    return (
      <Card title="Candidates">
        <Empty>No repair was tried yet.</Empty>
      </Card>
    );
  }
  return (
    <>
      {groups.map((group) => (
        <One key={group.group} of={group} />
      ))}
    </>
  );
}

function One({ of }: { readonly of: Group }): JSX.Element {
  const { at, result, reason, tried, durationMs, candidates } = of;
  return (
    <Card
      title={counted(candidates.length, "candidate")}
      aside={
        <span class="row-head muted">
          <State of={result} />
          <span>
            {counted(tried, "program")} tried in {duration(durationMs)} · <Time at={at} />
          </span>
        </span>
      }
      flush
    >
      {result === "released" ? null : <p class="inside row-text wrap">{reason}</p>}
      {candidates.map((candidate) => (
        <Candidate key={candidate.candidate} of={candidate} />
      ))}
    </Card>
  );
}

function Candidate({ of }: { readonly of: CandidateRow }): JSX.Element {
  const { candidate, proposer, operator, model, change, state, advantage, gates } = of;
  return (
    <details class="fold">
      <summary data-row>
        <span class="candidate">
          <span class="row-head">
            <strong>{proposer}</strong>
            <span class="muted wrap">{model ?? operator}</span>
            <State of={state} />
          </span>
          <span class="row-text clamp">{change}</span>
          <GateLine gates={gates} />
        </span>
        <dl class="scores">
          <div>
            <dt>reward</dt>
            <dd>{reward(of.reward)}</dd>
          </div>
          <div>
            <dt>advantage</dt>
            <dd title={advantage === null ? "the rewards of the group are all alike" : undefined}>
              {advantage === null ? "–" : difference(advantage)}
            </dd>
          </div>
        </dl>
      </summary>
      <GateList gates={gates} />
      <p class="inside">
        <a href={`/review/${encodeURIComponent(candidate)}`}>What it changes</a>
      </p>
    </details>
  );
}
