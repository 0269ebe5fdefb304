import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ask } from "../api/ask.ts";
import type { Diff, LogVersion } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { State, Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { confirm } from "../parts/confirmation.tsx";
import { GitDiff } from "../parts/diff.tsx";
import { counted, short } from "../parts/figures.ts";
import { Commit } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { RewardBar } from "../parts/reward.tsx";
import { Time } from "../parts/time.tsx";
import { Proof } from "./skill-proof.tsx";

/** The two versions that are compared, by skill; until somebody chooses, the newest and the one before. */
const chosen = signal<{
  readonly skill: string;
  readonly from: string;
  readonly to: string;
} | null>(null);

type Row = { readonly skill: string; readonly by: string; readonly active: string };

/** The history from git, with the live reward of each version. */
export function Versions({
  versions,
  ...row
}: Row & { readonly versions: readonly LogVersion[] }): JSX.Element {
  return (
    <Card
      title="Versions"
      aside={<span class="muted">live reward of each, with its 95 % interval</span>}
      flush
    >
      <ol class="rows timeline">
        {versions.map((version) => (
          <li key={version.commit} class={version.commit === row.active ? "active" : ""}>
            <Version of={version} {...row} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A version; unfolded, what proves it. */
function Version({ of, skill, by, active }: Row & { readonly of: LogVersion }): JSX.Element {
  const isOpen = useSignal(false);
  const isMade = of.reward !== null;
  return (
    <details
      class="fold"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary data-row>
        <span class="what">
          <span class="clamp">{of.subject}</span>
          <span class="muted row-head">
            <Commit id={of.commit} /> {of.author.replace(/ <.*/, "")} · <Time at={of.at} />
          </span>
        </span>
        <span class="gates">
          {of.commit === active ? <Badge tone="accent">active</Badge> : null}
          <State of={of.state} />
        </span>
        <span class="num muted">{counted(of.runs, "run")}</span>
        <RewardBar of={of} />
      </summary>
      <div class="inside">
        {isOpen.value && isMade ? <Proof commit={of.commit} /> : null}
        {isMade ? null : <p class="muted">A person made it; it carries no evidence.</p>}
        <button type="button" onClick={() => pin(skill, of.commit, by)}>
          Pin this version …
        </button>
      </div>
    </details>
  );
}

function pin(skill: string, version: string, by: string): void {
  confirm({
    title: `Pin ${skill} at ${short(version)}?`,
    text: "Calls get this version until it is unpinned, and the skill is improved only when it is asked for.",
    verb: "Pin",
    perform: async () => {
      await ask("pin", { skill, version, by });
      return `${skill} is pinned at ${short(version)}.`;
    },
  });
}

/** The difference between any two versions. */
export function Compare({
  skill,
  versions,
}: {
  readonly skill: string;
  readonly versions: readonly LogVersion[];
}): JSX.Element {
  const [newest, before] = versions;
  const picked = chosen.value?.skill === skill ? chosen.value : null;
  const from = picked?.from ?? before?.commit ?? newest?.commit ?? "";
  const to = picked?.to ?? newest?.commit ?? "";
  const answer = useAnswer<Diff>("diff", from === to ? null : { skill, from, to });
  const choose = (change: { readonly from?: string; readonly to?: string }): void => {
    chosen.value = { skill, from, to, ...change };
  };
  return (
    <Card
      title="What changed"
      aside={
        <>
          <Choice
            label="from"
            value={from}
            versions={versions}
            onChoose={(it) => choose({ from: it })}
          />
          <Choice label="to" value={to} versions={versions} onChoose={(it) => choose({ to: it })} />
        </>
      }
      flush
    >
      {from === to ? (
        <Empty>{versions.length < 2 ? "There is one version only." : "These are the same."}</Empty>
      ) : (
        <Loaded answer={answer}>{({ diff }) => <GitDiff text={diff} />}</Loaded>
      )}
    </Card>
  );
}

function Choice({
  label,
  value,
  versions,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly versions: readonly LogVersion[];
  readonly onChoose: (commit: string) => void;
}): JSX.Element {
  return (
    <label class="choice">
      <span class="muted">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {versions.map(({ commit, subject }) => (
          <option key={commit} value={commit}>
            {short(commit)} {subject.slice(0, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}
