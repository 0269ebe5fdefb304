import type { Terminal } from "../cli/terminal.ts";
import { parseConfig } from "../config.ts";
import { containersFor } from "../daemon/compose-containers.ts";
import { openWorkshop } from "../daemon/compose.ts";
import type { Case } from "../domain/case.ts";
import { HoneError } from "../domain/errors.ts";
import { cascade, type CascadePorts } from "../gates/cascade.ts";
import type { Containers } from "../ports/containers.ts";
import type { Gate } from "../ports/gate.ts";
import { type Entry, readCorpus } from "./corpus.ts";
import { type HostWatch, watchHost } from "./host-watch.ts";
import { incumbentOf } from "./incumbent.ts";
import { nodeTrialOf } from "./node-trial.ts";
import { patchTrialOf } from "./patch-trial.ts";
import { reportOf, type Row, rowOf } from "./report.ts";
import { type Arena, type Ended, trialOf } from "./trial.ts";

type Tier = "isolate" | "docker" | "all";

export type RedteamOptions = {
  readonly dir: string;
  readonly tier: Tier;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Takes gates away: the check of the check. */
  readonly weaken?: (gates: readonly Gate[]) => readonly Gate[];
};

/**
 * Puts every entry of a corpus through the sandbox and the gates that a candidate goes through.
 * Resolves with the exit code: 0 where no attack succeeded and no control was refused, else 1.
 */
export async function runRedteam(options: RedteamOptions): Promise<number> {
  const { dir, tier, terminal } = options;
  const corpus = await readCorpus(dir);
  const watch = watchHost();
  let rows: readonly Row[];
  try {
    rows = await rowsOf(corpus, options, watch);
    const left = watch.children();
    const report = reportOf(rows, { tier, left: left.length });
    terminal.answer(report, {
      columns: { rows: ["id", "tier", "verdict", "expected", "gate", "succeeded", "reason"] },
    });
    return report["succeeded"] === 0 && report["controls_refused"] === 0 && left.length === 0
      ? 0
      : 1;
  } finally {
    watch[Symbol.dispose]();
  }
}

async function rowsOf(
  corpus: readonly Entry[],
  { tier, terminal, signal, weaken = (gates) => gates }: RedteamOptions,
  watch: HostWatch,
): Promise<readonly Row[]> {
  const config = parseConfig({ guests: { warm: 2, most: 4 } }, "the red team");
  await using shop = await openWorkshop(config, []);
  await using made =
    tier === "isolate" ? null : containersFor({ ...config, docker: "required" }, ALONE);
  const container = made === null ? null : await containerOf(made, tier);
  const containers = container !== null && "sandbox" in container ? container : null;
  const ports = { ...shop, unrecorded: "closed" } as const;
  const arena = {
    shop,
    signal,
    gatesFor: (heldOut: readonly Case[]) => weaken(cascadeFor(heldOut, { ...ports, containers })),
  };
  const rows: Row[] = [];
  watch.look();
  for (const entry of corpus) {
    const startedAt = performance.now();
    const ended = await endOf(entry, corpus, { arena, container, tier });
    const ms = Math.round(performance.now() - startedAt);
    const row = rowOf(entry, ended, { touched: watch.look(), canary: watch.canary, ms });
    rows.push(row);
    terminal.progress(`${rows.length}/${corpus.length} ${entry.id}: ${row.verdict}`);
  }
  return rows;
}

/** The cascade of a workspace, with a corpus's held-out cases in the place of the workspace's own. */
function cascadeFor(
  heldOut: readonly Case[],
  { containers, ...ports }: CascadePorts & { readonly containers: Containers | null },
): readonly Gate[] {
  return cascade(ports, {
    containers,
    differential: { ...ports, passingRuns: () => [] },
    claims: null,
    takenBackBy: async () => null,
    heldOut: {
      ...ports,
      heldOut: { cases: async () => heldOut },
      minimum: 1,
      countLook: () => 1,
    },
  });
}

type Container = Containers | { readonly reason: string };

/** Containers of no workspace: nothing is kept of their image. */
const ALONE = { owner: "redteam", notes: { note: () => null, setNote: () => undefined } };

/** Why there are none, where that may be. Throws `sandbox-unavailable` where there must be some. */
async function containerOf(containers: Containers, tier: Tier): Promise<Container> {
  const state = await containers.state();
  if (state.status === "ready") return containers;
  if (tier === "docker") throw new HoneError("sandbox-unavailable", state.reason);
  return { reason: state.reason };
}

/** What an entry comes to; a sentence where it is not run, and why. */
async function endOf(
  entry: Entry,
  corpus: readonly Entry[],
  {
    arena,
    container,
    tier,
  }: { readonly arena: Arena; readonly container: Container | null; readonly tier: Tier },
): Promise<Ended | string> {
  if (entry.tier === "node") {
    if (container === null) return "the tier docker was not asked for";
    if ("reason" in container) return container.reason;
    return await nodeTrialOf(entry, corpus, arena, container.sandbox);
  }
  if (tier === "docker") return "the tier isolate was not asked for";
  if (entry.tier === "patch") return await patchTrialOf(entry, corpus, arena);
  return await trialOf(entry, incumbentOf(entry.task, corpus), arena);
}
