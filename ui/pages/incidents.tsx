import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Incident, Incidents } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge, State } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { count, counted } from "../parts/figures.ts";
import { Filter, matches } from "../parts/filter.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { Time } from "../parts/time.tsx";

const filter = signal("");
const isAll = signal(false);

/** What fell short, and what becomes of it. */
export function IncidentsPage(): JSX.Element {
  const answer = useAnswer<Incidents>("incidents", { all: isAll.value });
  return (
    <>
      <div class="title">
        <h1>Incidents</h1>
        <div class="filters">
          <div class="segments" role="group" aria-label="Which incidents">
            <button type="button" aria-pressed={!isAll.value} onClick={() => (isAll.value = false)}>
              Open
            </button>
            <button type="button" aria-pressed={isAll.value} onClick={() => (isAll.value = true)}>
              All
            </button>
          </div>
          <Filter text={filter} label="Filter incidents" />
        </div>
      </div>
      <Loaded answer={answer}>{({ incidents }) => <List incidents={incidents} />}</Loaded>
    </>
  );
}

function List({ incidents }: Incidents): JSX.Element {
  const found = incidents.filter(({ skill, summary, state, failureClass, id }) =>
    matches(filter.value, skill, summary, state, failureClass, id),
  );
  const title = isAll.value ? "The latest" : "Not repaired yet";
  return (
    <Card title={title} aside={<span class="muted">{count(found.length)}</span>} flush>
      {found.length === 0 ? (
        <Empty>
          {incidents.length === 0 ? "Nothing falls short." : "No incident has these words."}
        </Empty>
      ) : (
        <IncidentRows incidents={found} />
      )}
    </Card>
  );
}

/** Incidents, a row each. */
export function IncidentRows({ incidents }: Incidents): JSX.Element {
  return (
    <ul class="rows">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <Row incident={incident} />
        </li>
      ))}
    </ul>
  );
}

function Row({ incident }: { readonly incident: Incident }): JSX.Element {
  const { id, skill, summary, state, failureClass, runs, openedAt, nextAt, note } = incident;
  return (
    <a class="row" data-row href={`/incidents/${encodeURIComponent(id)}`}>
      <span class="row-head">
        <strong>{skill}</strong>
        <State of={state} />
        {incident.claims === 0 ? null : <Badge tone="warn">claimed</Badge>}
        <span class="optional">
          <Badge>{failureClass}</Badge>
        </span>
        <span class="push muted">
          <Time at={openedAt} />
        </span>
      </span>
      <span class="row-text clamp">{summary}</span>
      <span class="row-text muted clamp">
        {counted(runs, "run")}
        {note === "" ? "" : ` · ${note}`}
        {nextAt === null ? null : (
          <>
            {" · tried again "}
            <Time at={nextAt} />
          </>
        )}
      </span>
    </a>
  );
}
