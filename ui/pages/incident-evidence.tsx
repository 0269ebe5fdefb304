import type { JSX } from "preact";
import type { Example, Exchange, IncidentDetail } from "../api/records.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { reward } from "../parts/figures.ts";
import { brief, ended, JsonBlock, wanted } from "../parts/json.tsx";
import { Commit } from "../parts/link.tsx";
import { Empty } from "../parts/loaded.tsx";
import { duration, Time } from "../parts/time.tsx";

/** The case that fails: what it gives, what it wants, what it gets. */
export function Evidence({ of }: { readonly of: IncidentDetail }): JSX.Element {
  const { diagnosis, examples, claims } = of;
  const [run] = examples;
  const failing = diagnosis?.failing;
  if (failing === undefined && run === undefined) {
    return (
      <Card title="Evidence">
        <Empty>No run of it is kept.</Empty>
      </Card>
    );
  }
  const given = failing?.args ?? run?.input;
  const expected = failing?.expectation ?? run?.expectation;
  const got = failing?.outcome ?? run?.trace?.outcome;
  return (
    <Card
      title="Evidence"
      aside={
        failing === undefined || failing.name.endsWith(of.incident) ? undefined : (
          <span class="muted">{failing.name}</span>
        )
      }
    >
      <dl class="evidence">
        <dt>Given</dt>
        <dd>
          <JsonBlock of={given} label="Given" />
        </dd>
        <dt>Expected</dt>
        <dd>
          <Expected of={expected} isClaimed={claims.length > 0} />
        </dd>
        <dt>Got</dt>
        <dd>
          <Outcome of={got} />
        </dd>
        {failing === undefined || failing.reason === "" ? null : (
          <>
            <dt>So</dt>
            <dd class="wrap">{failing.reason}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function Expected({
  of,
  isClaimed,
}: {
  readonly of: unknown;
  readonly isClaimed: boolean;
}): JSX.Element {
  if (isClaimed) return <span class="muted">not proven; see what is claimed</span>;
  const { kind, value } = (of ?? {}) as { readonly kind?: string; readonly value?: unknown };
  if (kind === "value") return <JsonBlock of={value} label="Expected" />;
  return <span class="mono wrap">{of === null ? "nothing in particular" : wanted(of)}</span>;
}

function Outcome({ of }: { readonly of: unknown }): JSX.Element {
  const { status, value } = (of ?? {}) as { readonly status?: string; readonly value?: unknown };
  if (status === "returned") return <JsonBlock of={value ?? null} label="Got" />;
  return <span class="mono wrap bad-text">{ended(of)}</span>;
}

/** The latest runs with their traces. */
export function Runs({
  examples,
  all,
}: {
  readonly examples: readonly Example[];
  readonly all: number;
}): JSX.Element {
  return (
    <Card
      title="Its runs"
      aside={<span class="muted">{all > examples.length ? `the latest of ${all}` : all}</span>}
      flush
    >
      {examples.length === 0 ? <Empty>None of them is kept.</Empty> : null}
      {examples.map((example, at) => (
        <details key={example.run} class="fold" open={at === 0}>
          <summary data-row>
            <code>{example.run}</code>
            <span class="muted">
              reward {reward(example.reward.score ?? null)} · {duration(example.durationMs)}
            </span>
            <Commit id={example.version} />
            <span class="push muted">
              <Time at={example.startedAt} />
            </span>
          </summary>
          <div class="inside">
            <Trace of={example} />
          </div>
        </details>
      ))}
    </Card>
  );
}

function Trace({ of: { input, trace } }: { readonly of: Example }): JSX.Element {
  if (trace === null)
    return <p class="muted">This run is held out; nobody is shown what it asked.</p>;
  return (
    <ol class="trace">
      <li>
        <Badge tone="accent">called</Badge> <span class="mono wrap">{brief(input)}</span>
      </li>
      {trace.exchanges.map((exchange, at) => (
        <Asked key={at} of={exchange} />
      ))}
      {trace.logs.map((line, at) => (
        <li key={`log ${at}`}>
          <Badge>log</Badge>{" "}
          <span class="mono wrap">{line.message ?? line.text ?? brief(line)}</span>
        </li>
      ))}
      <li>
        <Badge>ended</Badge> <span class="mono wrap">{ended(trace.outcome)}</span>
      </li>
    </ol>
  );
}

function Asked({ of: { kind, args, answer } }: { readonly of: Exchange }): JSX.Element {
  return (
    <li>
      <Badge>{kind}</Badge> <span class="mono wrap">{brief(args)}</span>
      <div class="muted mono wrap">← {answer === null ? "no answer" : brief(answer)}</div>
    </li>
  );
}
