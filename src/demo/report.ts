import type { Terminal } from "../cli/terminal.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Change } from "./steps.ts";
import type { Story } from "./story.ts";
import { wallsTold } from "./walls.ts";

/** How the history of the skills is asked for. */
export const HISTORY = ["log", "--abbrev=10", "--format=%h %an: %s", "--", "skills"] as const;

/** The same for a shell. */
const COMMAND = `git ${HISTORY.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ")}`;

/** Tells the end: with --json one object, else the table of what changed and the real history. */
export function report(
  { steps, releases, log, tasks, walls, ms }: Story,
  terminal: Terminal,
): void {
  const ok = steps.every((step) => step.ok);
  const document: JsonObject = { schemaVersion: 1, ok, ms, tasks, steps, releases, walls, log };
  if (terminal.isJson) {
    terminal.answer(document);
    return;
  }
  terminal.progress("");
  terminal.answer({ what: releases.map(rowOf) }, { columns: { what: COLUMNS } });
  terminal.answerText(document, `\n${terminal.paint("bold", COMMAND)}\n${log}\n`);
  const failed = steps.find((step) => !step.ok);
  const end = failed === undefined ? SUMMARY : `It ended at "${failed.name}": ${failed.detail}.`;
  const seconds = (ms / 1_000).toFixed(0);
  terminal.answerText(
    document,
    `${end}\n${wallsTold(walls)}\n${tasks.done} of ${tasks.sent} tasks done, ${seconds} s.`,
  );
}

const COLUMNS = ["what happened", "seconds", "reward", "incident", "commit"];

const SUMMARY = [
  "Seconds: from the incident to its release, from the commit to the answer, or from a release to its rollback.",
  "Reward: of a repair, the share of the skill's cases that pass; of a rollback, the mean of live runs.",
  "Settings are the defaults, but a repair that was refused is tried again after 1 s instead of 60 s.",
].join("\n");

function rowOf({ what, incident, commit, ms, reward }: Change): JsonObject {
  return {
    "what happened": what,
    seconds: (ms / 1_000).toFixed(1),
    reward,
    incident: incident ?? "",
    commit: commit.slice(0, 10),
  };
}
