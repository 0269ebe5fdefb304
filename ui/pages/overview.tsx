import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Activity, Status } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Health } from "../parts/health.tsx";
import { Card } from "../parts/card.tsx";
import { counted } from "../parts/figures.ts";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { Progress } from "../parts/progress.tsx";
import { RewardChart } from "../parts/reward-chart.tsx";
import { Alarms, UnderWatch } from "./overview-watch.tsx";
import { Figures } from "./overview-figures.tsx";
import { Refused, Released, Trends, WaitingForYou } from "./overview-lists.tsx";

const PERIODS = [1, 7, 30, 90] as const;

const days = signal<number>(7);

/** What an owner opens in the morning: what improved, what was refused, what waits. */
export function OverviewPage(): JSX.Element {
  const status = useAnswer<Status>("status");
  const activity = useAnswer<Activity>("activity", { days: days.value });
  return (
    <>
      <div class="title">
        <h1>Overview</h1>
        <Period />
      </div>
      <Loaded answer={status}>
        {(now) => <Health status={now} activity={activity.value.data} />}
      </Loaded>
      <Loaded answer={activity}>
        {(seen) => (
          <>
            <p class="lead">{summary(seen, status.value.data?.waiting.length ?? 0)}</p>
            <Progress />
            <WaitingForYou waiting={status.value.data?.waiting ?? []} />
            <Alarms alarms={status.value.data?.alarms ?? []} />
            <Figures counts={seen.counts} open={status.value.data?.openIncidents ?? 0} />
            <Card title="Reward over time">
              {seen.rewards.length === 0 ? (
                <Empty>No run in this period. Rewards appear here as tasks are carried out.</Empty>
              ) : (
                <RewardChart input={{ ...seen, points: seen.rewards }} />
              )}
            </Card>
            <div class="columns">
              <Released releases={seen.releases} />
              <Refused refusals={seen.refusals} refusedBy={seen.refusedBy} />
            </div>
            <UnderWatch canaries={status.value.data?.canaries ?? []} />
            <Trends trends={seen.trends} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** What happened, in a sentence that does not brag. */
function summary({ counts, days: of }: Activity, waiting: number): string {
  const when = of === 1 ? "In the last 24 hours" : `In the last ${of} days`;
  const { releases, rollbacks, refused, incidents } = counts;
  const parts = [
    `hone released ${counted(releases, "change")}`,
    `took ${rollbacks === 0 ? "none" : rollbacks} back`,
    `refused ${counted(refused, "candidate")}`,
  ];
  const asks =
    waiting === 0
      ? "nothing waits for you"
      : `${counted(waiting, "change")} ${waiting === 1 ? "waits" : "wait"} for you`;
  return `${when} ${counted(incidents, "incident")} opened; ${parts.join(", ")}; ${asks}.`;
}

function Period(): JSX.Element {
  return (
    <div class="segments" role="group" aria-label="Period">
      {PERIODS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={days.value === each}
          onClick={() => {
            days.value = each;
          }}
        >
          {each === 1 ? "24 h" : `${each} d`}
        </button>
      ))}
    </div>
  );
}
