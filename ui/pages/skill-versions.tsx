import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Diff, LogVersion } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { State, Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { GitDiff } from "../parts/diff.tsx";
import { counted, short } from "../parts/figures.ts";
import { Commit } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";
import { RewardBar } from "../parts/reward.tsx";
import { Time } from "../parts/time.tsx";

/** The two versions that are compared, by skill; until somebody chooses, the newest and the one before. */
const chosen = signal<{
  readonly skill: string;
  readonly from: string;
  readonly to: string;
} | null>(null);

/** The history from git, with the live reward of each version. */
export function Versions({
  versions,
  active,
}: {
  readonly versions: readonly LogVersion[];
  readonly active: string;
}): JSX.Element {
  return (
    <Card
      title="Versions"
      aside={<span class="muted">live reward of each, with its 95 % interval</span>}
      flush
    >
      <ol class="rows timeline">
        {versions.map((version) => (
          <Version key={version.commit} of={version} isActive={version.commit === active} />
        ))}
      </ol>
    </Card>
  );
}

function Version({
  of,
  isActive,
}: {
  readonly of: LogVersion;
  readonly isActive: boolean;
}): JSX.Element {
  return (
    <li class={isActive ? "row active" : "row"}>
      <span class="what">
        <span class="clamp">{of.subject}</span>
        <span class="muted row-head">
          <Commit id={of.commit} /> {of.author.replace(/ <.*/, "")} · <Time at={of.at} />
        </span>
      </span>
      <span class="gates">
        {isActive ? <Badge tone="accent">active</Badge> : null}
        <State of={of.state} />
      </span>
      <span class="num muted">{counted(of.runs, "run")}</span>
      <RewardBar of={of} />
    </li>
  );
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
