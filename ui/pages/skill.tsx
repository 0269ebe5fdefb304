import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { Activity, Incidents, Log, Pin, Skill, Status } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { confirm } from "../parts/confirmation.tsx";
import { Capabilities } from "../parts/capabilities.tsx";
import { count, short } from "../parts/figures.ts";
import { Commit } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { IncidentRows } from "./incidents.tsx";
import { Cases } from "./skill-cases.tsx";
import { Compare, Versions } from "./skill-versions.tsx";

/** One skill: its versions and how each did, what it may reach, what it must do, what fell short. */
export function SkillPage({ name }: { readonly name: string }): JSX.Element {
  const skill = useAnswer<Skill>("skill", { name });
  const log = useAnswer<Log>("log", { skill: name });
  const incidents = useAnswer<Incidents>("incidents", { skill: name, all: true });
  const status = useAnswer<Status>("status");
  const activity = useAnswer<Activity>("activity", { days: 1 });
  const by = activity.value.data?.you ?? "dashboard";
  return (
    <>
      <div class="title">
        <h1>{name}</h1>
        <Actions name={name} by={by} log={log.value.data} />
      </div>
      <Pinned name={name} by={by} pins={status.value.data?.pins ?? []} />
      <Loaded answer={skill}>{(data) => <About of={data} />}</Loaded>
      <Loaded answer={log}>
        {({ versions }) => (
          <>
            <Versions
              skill={name}
              by={by}
              versions={versions}
              active={skill.value.data?.version ?? ""}
            />
            <Compare skill={name} versions={versions} />
          </>
        )}
      </Loaded>
      <Loaded answer={incidents}>
        {(data) => (
          <Card
            title="Incidents"
            aside={<span class="muted">{count(data.incidents.length)}</span>}
            flush
          >
            {data.incidents.length === 0 ? (
              <Empty>Nothing of this skill fell short.</Empty>
            ) : (
              <IncidentRows incidents={data.incidents.slice(0, 20)} />
            )}
          </Card>
        )}
      </Loaded>
      {skill.value.data === null ? null : (
        <div class="columns">
          <Cases cases={skill.value.data.cases} />
          <Card title="What it may reach">
            <Capabilities of={skill.value.data.manifest.capabilities} />
          </Card>
        </div>
      )}
    </>
  );
}

function Pinned({
  name,
  by,
  pins,
}: {
  readonly name: string;
  readonly by: string;
  readonly pins: readonly Pin[];
}): JSX.Element | null {
  const pin = pins.find(({ skill }) => skill === name);
  if (pin === undefined) return null;
  return (
    <p class="note warn row-head">
      Pinned at <Commit id={pin.version} /> by {pin.by}: calls get that version, and nothing is
      repaired unasked.
      <button
        type="button"
        class="push"
        onClick={() =>
          confirm({
            title: `Unpin ${name}?`,
            text: "Calls get the newest version again.",
            verb: "Unpin",
            perform: async () => {
              await ask("unpin", { skill: name, by });
              return `${name} is not pinned any more.`;
            },
          })
        }
      >
        Unpin
      </button>
    </p>
  );
}

function About({ of }: { readonly of: Skill }): JSX.Element {
  const { description, manifest, uncommitted } = of;
  return (
    <>
      <p class="lead">{description}</p>
      <p class="gates">
        <Badge>{manifest.kind}</Badge>
        <Badge>
          {manifest.review === "always"
            ? "every change is reviewed"
            : "critical changes are reviewed"}
        </Badge>
        {manifest.reward?.threshold === undefined ? null : (
          <Badge>reward wanted ≥ {manifest.reward.threshold}</Badge>
        )}
        {uncommitted.length === 0 ? null : <Badge tone="warn">uncommitted changes</Badge>}
      </p>
    </>
  );
}

function Actions({
  name,
  by,
  log,
}: {
  readonly name: string;
  readonly by: string;
  readonly log: Log | null;
}): JSX.Element {
  const newest = log?.versions[0];
  const isRelease = newest !== undefined && ["watching", "kept"].includes(newest.state);
  return (
    <div class="buttons">
      <button
        type="button"
        onClick={() =>
          confirm({
            title: `Improve ${name} now?`,
            text: "hone looks for a repair of its oldest incident, and releases one that passes every gate.",
            verb: "Improve",
            perform: async () => {
              const { result, reason } = await ask<{ result: string; reason?: string }>("improve", {
                skill: name,
              });
              return `${name}: ${result}${reason === undefined ? "" : `, ${reason}`}`;
            },
          })
        }
      >
        Improve now
      </button>
      {isRelease ? (
        <button
          type="button"
          onClick={() =>
            confirm({
              title: `Take back ${short(newest.commit)} of ${name}?`,
              text: `“${newest.subject}” is reverted by a commit. The version before it is active again at once.`,
              verb: "Roll back",
              isGrave: true,
              perform: async () => {
                const done = await ask<{ commit: string }>("rollback", { skill: name, by });
                return `${name} was taken back by ${short(done.commit)}.`;
              },
            })
          }
        >
          Roll back …
        </button>
      ) : null}
    </div>
  );
}
