import type { JSX } from "preact";
import type { Status } from "../api/answers.ts";

type Light = {
  readonly name: string;
  readonly said: string;
  readonly tone: string;
  readonly more: string;
};

/** Whether the house is in order: its walls, its model, its repairs, and what is wrong in sentences. */
export function Health({
  status,
  paused,
}: {
  readonly status: Status;
  readonly paused: string | null;
}): JSX.Element {
  return (
    <>
      <ul class="health" aria-label="Health">
        {lightsOf(status, paused).map(({ name, said, tone, more }) => (
          <li key={name} title={more}>
            <i class={tone} aria-hidden="true" />
            <span class="muted">{name}</span> {said}
          </li>
        ))}
      </ul>
      {status.problems.length === 0 ? null : (
        <ul class="problems" aria-label="Problems">
          {status.problems.map((problem) => (
            <li key={problem} class="note warn wrap">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function lightsOf(status: Status, paused: string | null): readonly Light[] {
  const { docker, engine = "", model, served = "", tasks, head } = status;
  const queued = tasks["queued"] ?? 0;
  return [
    { name: "Container wall", said: docker, tone: toneOf(docker), more: engine },
    { name: "Model", said: model.replaceAll("_", " "), tone: toneOf(model), more: served },
    {
      name: "Repairs",
      said: paused === null ? "running" : "paused",
      tone: paused === null ? "good" : "warn",
      more: paused ?? "",
    },
    { name: "Queue", said: queued === 0 ? "empty" : `${queued} tasks`, tone: "off", more: "" },
    { name: "Version", said: head.slice(0, 8), tone: "off", more: head },
  ];
}

function toneOf(state: string): string {
  if (state === "ready") return "good";
  return state === "off" ? "off" : "warn";
}
