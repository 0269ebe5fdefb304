import type { JSX } from "preact";
import type { Evidence } from "../api/records.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge } from "../parts/badge.tsx";
import { reward } from "../parts/figures.ts";
import { GateLine } from "../parts/gates.tsx";
import { Loaded } from "../parts/loaded.tsx";

/** The evidence that a release carries in git, and whether it is what the commit names. */
export function Proof({ commit }: { readonly commit: string }): JSX.Element {
  const answer = useAnswer<Evidence>("evidence", { commit });
  return <Loaded answer={answer}>{(data) => <Told of={data} />}</Loaded>;
}

function Told({ of: { digest, isWhole, evidence } }: { readonly of: Evidence }): JSX.Element {
  const { approvedBy, docker, failingCase, incident, outcomes, rewardAfter, rewardBefore } =
    evidence;
  const facts: readonly (readonly [string, string])[] = [
    ["repairs", incident.summary],
    ["failing case", failingCase.name],
    ["share of cases", `${reward(rewardBefore)} before, ${reward(rewardAfter)} now`],
    ["outcomes kept", String(Object.keys(outcomes).length)],
    ["container wall", docker],
    ["approved by", approvedBy ?? "nobody was asked"],
    ["digest", digest],
  ];
  return (
    <div class="proof">
      <p>
        {isWhole ? (
          <Badge tone="good">evidence is whole</Badge>
        ) : (
          <Badge tone="bad">evidence is not what the commit names</Badge>
        )}{" "}
        <span class="muted">
          Anybody can run it again: <code>hone verify</code>
        </span>
      </p>
      <GateLine gates={evidence.verdicts} />
      <dl class="facts-list">
        {facts.map(([name, said]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={name === "digest" ? "mono wrap" : "wrap"}>{said}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
