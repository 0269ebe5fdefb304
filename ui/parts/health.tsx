import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { Activity, Status } from "../api/answers.ts";

import { confirm } from "./confirmation.tsx";

type Light = {
  readonly name: string;
  readonly said: string;
  readonly tone: string;
  readonly more: string;
};

/** Whether the house is in order: its walls, its model, its repairs, and what is wrong in sentences. */
export function Health({
  status,
  activity,
}: {
  readonly status: Status;
  readonly activity: Activity | null;
}): JSX.Element {
  const paused = activity?.paused ?? null;
  return (
    <>
      <ul class="health" aria-label="Health">
        {lightsOf(status, paused).map(({ name, said, tone, more }) => (
          <li key={name} title={more}>
            <i class={tone} aria-hidden="true" />
            <span class="muted">{name}</span> {said}
          </li>
        ))}
        <li>
          <button
            type="button"
            class="quiet"
            onClick={() => hold(paused === null, activity?.you ?? "dashboard")}
          >
            {paused === null ? "Pause repairs" : "Let repairs go on"}
          </button>
        </li>
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

function hold(isPause: boolean, by: string): void {
  confirm({
    title: isPause ? "Pause repairs?" : "Let repairs go on?",
    text: isPause
      ? "Tasks are carried out as before. Nothing is repaired or released until somebody lets it go on; rollbacks go on."
      : "What has waited is worked on now.",
    verb: isPause ? "Pause" : "Go on",
    perform: async () => {
      await ask(isPause ? "pause" : "resume", { by });
      return isPause ? "Repairs are paused." : "Repairs go on.";
    },
  });
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
