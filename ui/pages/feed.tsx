import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { HoneEvent } from "../../src/ports/store.ts";
import { textIn } from "../api/detail.ts";
import { connection, events } from "../api/live.ts";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { Filter, matches } from "../parts/filter.tsx";
import { short } from "../parts/figures.ts";
import { brief } from "../parts/json.tsx";
import { IncidentLink, SkillLink } from "../parts/link.tsx";
import { Empty, Loading } from "../parts/loaded.tsx";
import { Time } from "../parts/time.tsx";

const filter = signal("");

/** What happens, as it happens. */
export function FeedPage(): JSX.Element {
  const found = events.value.filter(({ kind, skill, detail }) =>
    matches(filter.value, kind, skill ?? "", JSON.stringify(detail)),
  );
  return (
    <>
      <div class="title">
        <h1>Live</h1>
        <Filter text={filter} label="Filter events" />
      </div>
      <Card title="Events" flush>
        {found.length > 0 ? <Events of={found} /> : <Nothing />}
      </Card>
    </>
  );
}

function Nothing(): JSX.Element {
  if (connection.value === "connecting") return <Loading />;
  return (
    <Empty>
      {events.value.length === 0 ? "Nothing has happened yet." : "No event has these words."}
    </Empty>
  );
}

/** Events, a row each, the newest first. */
function Events({ of }: { readonly of: readonly HoneEvent[] }): JSX.Element {
  return (
    <ol class="rows feed" aria-label="Events">
      {of.map((event) => (
        <li key={event.id} class="event" data-row tabIndex={-1}>
          <Badge tone={toneOf(event.kind)}>{event.kind}</Badge>
          <Said of={event} />
          <span class="muted when">
            <Time at={event.at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Said({ of: { skill, detail } }: { readonly of: HoneEvent }): JSX.Element {
  const incident = textIn(detail, "incident");
  const texts = ["reason", "summary", "change"].map((name) => textIn(detail, name));
  const said = texts.find((text) => text !== "") ?? "";
  const facts = Object.entries(detail).filter(
    ([name, value]) => name !== "incident" && value !== null && value !== "" && value !== said,
  );
  return (
    <span class="said">
      {skill === null ? null : <SkillLink name={skill} />} <span class="wrap">{said}</span>
      <span class="row-text muted facts">
        {incident === "" ? null : <IncidentLink id={incident} />}
        {facts.map(([name, value]) => (
          <span key={name} class={typeof value === "string" && ID.test(value) ? "optional" : ""}>
            {name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}{" "}
            <span class="mono">{typeof value === "string" ? short(value) : brief(value)}</span>
          </span>
        ))}
      </span>
    </span>
  );
}

/** Ids lead nowhere; a narrow window leaves them out. */
const ID = /^[a-z]{3,5}_[0-9a-f]+$/;

function toneOf(kind: string): Tone {
  if (/rolled-back|refused|failed|bad|gave-up|opened|blocked|rejected/.test(kind)) return "bad";
  if (/waiting|paused|parked|no-change|claim/.test(kind)) return "warn";
  if (/made|kept|released|born|adopted|repaired/.test(kind)) return "good";
  if (/started|verified/.test(kind)) return "accent";
  return "neutral";
}
