import type { JSX } from "preact";
import type { HoneEvent } from "../../src/ports/store.ts";
import { textIn } from "../api/detail.ts";
import { events } from "../api/live.ts";
import { counted } from "./figures.ts";
import { SkillLink } from "./link.tsx";
import { Time } from "./time.tsx";

type Repair = {
  readonly skill: string;
  readonly incident: string;
  readonly startedAt: number;
  readonly most: number;
  /** What was verified so far, the newest first. */
  readonly attempts: readonly HoneEvent["detail"][];
};

/** After this long without a word a repair is not under way any more: the daemon has ended. */
const SILENT_MS = 30 * 60_000;

/** The repairs that are under way, of one incident or of all. */
export function Progress({ incident }: { readonly incident?: string }): JSX.Element | null {
  const all = underWay(events.value).filter(
    (one) => incident === undefined || one.incident === incident,
  );
  if (all.length === 0) return null;
  return (
    <ul class="under-way" aria-label="Repairs under way">
      {all.map((one) => (
        <li key={one.incident} class="note">
          <Told of={one} />
        </li>
      ))}
    </ul>
  );
}

function Told({ of }: { readonly of: Repair }): JSX.Element {
  const { skill, incident, startedAt, most, attempts } = of;
  const last = attempts[0];
  return (
    <>
      <p class="row-head">
        <span class="spinner" aria-hidden="true" />
        <strong>Repairing</strong> <SkillLink name={skill} />
        <a class="push" href={`/incidents/${encodeURIComponent(incident)}`}>
          begun <Time at={startedAt} />
        </a>
      </p>
      <progress
        max={Math.max(most, attempts.length)}
        value={attempts.length}
        aria-label="Candidates verified"
      />
      <p class="row-text clamp">
        {counted(attempts.length, "candidate")} of at most {most} verified
        {last === undefined
          ? "; looking for proposals"
          : `; the last: ${textIn(last, "status")} at ${textIn(last, "gate")}, ${textIn(last, "reason")}`}
      </p>
    </>
  );
}

/** A repair that began and of which no end was told. */
function underWay(told: readonly HoneEvent[]): readonly Repair[] {
  const ended = new Set<string>();
  const attempts = new Map<string, HoneEvent["detail"][]>();
  const found: Repair[] = [];
  for (const { kind, skill, at, detail } of told) {
    const incident = textIn(detail, "incident");
    if (incident === "" || skill === null || ended.has(incident)) continue;
    if (kind === "candidate.verified") {
      attempts.set(incident, [...(attempts.get(incident) ?? []), detail]);
    } else if (kind !== "improve.started") ended.add(incident);
    else {
      ended.add(incident);
      const most = Number(detail["candidates"] ?? 0);
      const tried = attempts.get(incident) ?? [];
      if (Date.now() - at < SILENT_MS) {
        found.push({ skill, incident, startedAt: at, most, attempts: tried });
      }
    }
  }
  return found;
}
