import type { JSX } from "preact";
import type { Claim } from "../api/records.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { brief } from "../parts/json.tsx";
import { Time } from "../parts/time.tsx";

/** Who says that a run was wrong, in their own words, which prove nothing. */
export function Claims({ of }: { readonly of: readonly Claim[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <Card title="What is claimed" aside={<span class="muted">words, not evidence</span>} flush>
      <ul class="rows">
        {of.map((claim) => (
          <li key={claim.by} class="row">
            <span class="row-head">
              <strong>{claim.by}</strong>
              {claim.times > 1 ? <Badge>{claim.times} times</Badge> : null}
              <span class="push muted">
                <Time at={claim.at} />
              </span>
            </span>
            <span class="mono wrap">{right(claim)}</span>
            <span class="row-text wrap">{claim.reason}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function right({ expected, throws }: Claim): string {
  if (throws !== undefined) return `right: throws ${throws}`;
  return expected === undefined ? "wrong" : `right: ${brief(expected)}`;
}
