import { randomInt } from "node:crypto";
import path from "node:path";
import { openRepository } from "../adapters/git/git-repository.ts";
import { refPaths } from "../adapters/git/ref-paths.ts";
import { openLedger, type Ledger } from "../adapters/sqlite/ledger.ts";
import type { SqliteStore } from "../adapters/sqlite/sqlite-store.ts";
import { waitForLock } from "../adapters/sqlite/lock.ts";
import { requireNativeModules } from "../adapters/sqlite/native-modules.ts";
import type { Config } from "../config.ts";
import { HoneError } from "../domain/errors.ts";
import type { SearchPart } from "../domain/search-part.ts";
import { cascade } from "../gates/cascade.ts";
import { definitionsIn } from "../library/definitions.ts";
import { openLibrary } from "../library/library.ts";
import type { Containers } from "../ports/containers.ts";
import type { House, Workshop } from "../ports/house.ts";
import type { Operations } from "../ports/operations.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";
import { announcing } from "./announcing-store.ts";
import { benchOf, workshopOf, type Bench } from "./compose-bench.ts";
import { bothOf, SCHEMA_CHECKS } from "./compose-checks.ts";
import { containersFor } from "./compose-containers.ts";
import { gatesOf } from "./compose-gates.ts";
import { tracingFor, type Tracing } from "./compose-telemetry.ts";
import { proposersFor } from "./compose-proposers.ts";
import { eventsOf, type Events } from "./events.ts";
import { follow } from "./follow.ts";
import { houseSettings } from "./house-settings.ts";
import { operationsOf } from "./operations.ts";
import { relearn } from "./rebuild.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { recover } from "./recover.ts";
import { kvFor } from "./rewards.ts";
import { settlingFirst } from "./settle.ts";
import { drain } from "./work.ts";
import { hasDied, safeModeOf, type Life } from "./life/life.ts";
import type { DaemonLog } from "./life/log.ts";
import { refuseInSafeMode, safeVersionOf, type SafeMode } from "./life/safe-mode.ts";
import { sha256 } from "./sha256.ts";
import { NO_SUSPECTS, suspectsAfterDeath } from "./life/suspects.ts";
import type { UnderWay } from "./under-way.ts";
import { refuseWhilePaused } from "./model/spending.ts";
import type { Workspace } from "./workspace.ts";

export { createRepository } from "../adapters/git/create.ts";
export { waitForLock } from "../adapters/sqlite/lock.ts";
export { requireNativeModules } from "../adapters/sqlite/native-modules.ts";
export { CHECKPOINTS, keepWalSmall } from "../adapters/sqlite/checkpoints.ts";

export type OpenWorkspace = Workspace & {
  readonly operations: Operations;
  readonly events: Events;
  readonly listen: ReturnType<typeof announcing>["listen"];
  /** Null: nobody asks for spans. */
  readonly tracing: Tracing | null;
  /** Ends what is under way but calls and tasks: improvements, checks. */
  readonly endWork: () => void;
  /** Ends calls and tasks as well. What was accepted is done after the next start. */
  readonly endRuns: () => void;
} & AsyncDisposable;

type OpenOptions = {
  readonly config: Config;
  readonly exclusive: boolean;
  /** What the daemon brings along: it has the lock of the workspace already. */
  readonly daemon?: Pick<Life, "mode" | "hasDied"> & Pick<DaemonLog, "troubles">;
};

/**
 * Opens a workspace in this process, which is then its only one; for another that has it, a short
 * while is waited. `exclusive` is for the daemon, which follows people's commits by itself. Throws
 * `busy`, `not-found`, `git-failed`, `store-failed`.
 */
export async function openWorkspace(
  dir: string,
  { config, exclusive, daemon }: OpenOptions,
): Promise<OpenWorkspace> {
  requireNativeModules();
  await using stack = new AsyncDisposableStack();
  if (daemon === undefined) stack.use(await waitForLock(dir, exclusive ? 3_000 : 5_000));
  const place = { dir, publish: config.publish, branch: config.branch, isLongLived: exclusive };
  const repository = stack.use(await openRepository(place));
  const { store, listen, troubles } = ledgerIn(dir);
  stack.use(store);
  const { endWork, endRuns, ...ends } = endsOf();
  const events = eventsOf(store, Date.now);
  const tracing = await tracingFor(config);
  const bench = await benchOf({ dir, config, store, stack, tell: events.tell, tracing });
  const ours = { owner: sha256(dir), notes: store, isBrief: !exclusive };
  const containers = stack.use(containersFor(config, ours));
  const mode = daemon?.mode ?? (exclusive ? { current: null } : safeModeOf(dir, config));
  const parts = { dir, config, repository, store, events, bench, containers, mode };
  const plain = { ...houseOf(parts), model: bench.model, troubles: bothOf(troubles, daemon) };
  const house = tracing?.house(plain) ?? plain;
  const underWay: UnderWay = new Map();
  const work = { house, underWay, ...ends };
  const queued = { listener: async (): Promise<void> => await drain(work) };
  const oneImprovement = tracing?.improvements(oneAtATime()) ?? oneAtATime();
  const common = {
    dir,
    refPaths: await refPaths(dir),
    ...work,
    config,
    oneImprovement,
    queued,
    mode,
  };
  const isAfterDeath = daemon?.hasDied ?? hasDied(dir);
  const suspects = isAfterDeath ? suspectsAfterDeath(house, config.life.crashes) : NO_SUSPECTS;
  const workspace: Workspace = { ...common, suspects, refusal: { last: null } };
  await relearn(house, store);
  await recover(workspace);
  // A daemon follows by itself; a command takes people's commits in, and brings its releases back.
  const followOnce = async (): Promise<void> => (exclusive ? undefined : await follow(workspace));
  await followOnce();
  const owned = stack.move();
  const operations = operationsOf(workspace);
  return {
    ...workspace,
    operations: tracing?.operations(operations) ?? operations,
    tracing,
    events,
    listen,
    endWork,
    endRuns,
    async [Symbol.asyncDispose]() {
      if (!ends.signal.aborted) await followOnce();
      endWork();
      endRuns();
      await owned[Symbol.asyncDispose]();
    },
  };
}

/** The ends of a workspace's work and, after it, of its calls and tasks. */
function endsOf(): Pick<OpenWorkspace, "signal" | "lastSignal" | "endWork" | "endRuns"> {
  const [closing, last] = [new AbortController(), new AbortController()];
  const end = (what: AbortController) => (): void =>
    what.abort(new HoneError("busy", "the workspace is being closed", { retryable: true }));
  const signals = { signal: closing.signal, lastSignal: last.signal };
  return { ...signals, endWork: end(closing), endRuns: end(last) };
}

/** The ledger of a workspace; what it takes is told to whoever listens. */
function ledgerIn(
  dir: string,
): ReturnType<typeof announcing<SqliteStore>> & Pick<Ledger, "troubles"> {
  const tell = (sentence: string): void => void process.stderr.write(`hone: ${sentence}\n`);
  const { store, troubles } = openLedger(path.join(dir, "data", "run", "hone.db"), tell);
  return { ...announcing(store), troubles };
}

/**
 * A workshop without a workspace: it repairs from visible cases alone. There is no ledger, no
 * history and no held-out data in it, so that nothing of that kind can be reached.
 */
export async function openWorkshop(
  config: Config,
  names: readonly Config["proposers"][number][],
  without: readonly SearchPart[] = [],
): Promise<Workshop & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const bench = await benchOf({ dir: null, config, store: null, stack, tell: null });
  const gates = cascade({ ...bench.examining, editor: bench.editor, now: Date.now }, null);
  const common = { ...bench, settings: config.model, repository: null, store: null };
  const proposers = proposersFor(names, { ...common, without });
  const owned = stack.move();
  return {
    ...workshopOf(bench),
    gates,
    proposers,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function houseOf({
  dir,
  config,
  repository,
  store,
  events,
  bench,
  containers,
  mode,
}: {
  readonly dir: string;
  readonly config: Config;
  readonly repository: Repository;
  readonly store: Store;
  readonly events: Events;
  readonly bench: Bench;
  readonly containers: Containers | null;
  readonly mode: SafeMode;
}): Omit<House, "troubles" | "model"> {
  const { rewards, inspect } = bench;
  const library = openLibrary({ repository, inspect, rewardProblems: rewards.problems });
  const proposing = { ...bench, settings: config.model, repository, store, library };
  return {
    ...workshopOf(bench),
    gates: gatesOf({ dir, config, repository, store, containers, bench }),
    proposers: proposersFor(config.proposers, proposing),
    library,
    safeVersion: safeVersionOf(mode, { library, store }),
    isInSafeMode: () => mode.current !== null,
    definition: definitionsIn({ library, inspect }),
    store,
    repository,
    containers,
    score: async (run, signal) => {
      return await rewards.score({ ...run, kv: kvFor(run.skill, store) }, signal);
    },
    ...SCHEMA_CHECKS,
    secretsOf: bench.secretsOf,
    sha256,
    newSeed: () => randomInt(2 ** 31),
    tools: { node: process.version },
    mayRelease: () => {
      refuseInSafeMode(mode);
      refuseWhilePaused(store);
    },
    alone: settlingFirst({ store, repository, tell: events.tell }),
    tell: events.tell,
    traffic: { running: 0, onRun: () => undefined, canaries: new Map() },
    settings: houseSettings(config),
  };
}
