import { randomInt } from "node:crypto";
import path from "node:path";
import { createCapabilityHosts } from "../adapters/capabilities/capability-hosts.ts";
import { createMinimise } from "../adapters/fast-check/fast-check-minimise.ts";
import { openRepository } from "../adapters/git/git-repository.ts";
import { refPaths } from "../adapters/git/ref-paths.ts";
import { createIsolateSandbox } from "../adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../adapters/morph/process-editor.ts";
import { readSecrets } from "../adapters/secrets/read-secrets.ts";
import { openLedger } from "../adapters/sqlite/ledger.ts";
import { waitForLock } from "../adapters/sqlite/lock.ts";
import { requireNativeModules } from "../adapters/sqlite/native-modules.ts";
import { createWeb } from "../adapters/undici/undici-web.ts";
import { zodSchemaCheck } from "../adapters/zod/zod-schema-check.ts";
import type { Config } from "../config.ts";
import { HoneError } from "../domain/errors.ts";
import type { SearchPart } from "../domain/search-part.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import { cascade } from "../gates/cascade.ts";
import { definitionsIn } from "../library/definitions.ts";
import { openLibrary } from "../library/library.ts";
import type { CapabilityHosts } from "../ports/capabilities.ts";
import type { Containers } from "../ports/containers.ts";
import type { Editor } from "../ports/editor.ts";
import type { House, Workshop } from "../ports/house.ts";
import type { WatchedModel } from "../ports/model.ts";
import type { Operations } from "../ports/operations.ts";
import type { Repository } from "../ports/repository.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { Store } from "../ports/store.ts";
import { announcing } from "./announcing-store.ts";
import { cachedInspect } from "./cached-inspect.ts";
import { bothOf, SCHEMA_CHECKS, secretsIn } from "./compose-checks.ts";
import { containersFor } from "./compose-containers.ts";
import { gatesOf } from "./compose-gates.ts";
import { houseModel } from "./compose-model.ts";
import { proposersFor } from "./compose-proposers.ts";
import { eventsOf, type Events } from "./events.ts";
import { follow } from "./follow.ts";
import { houseSettings } from "./house-settings.ts";
import { operationsOf } from "./operations.ts";
import { remediedInspect } from "./remedied-inspect.ts";
import { relearn } from "./rebuild.ts";
import { newId } from "./new-id.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { recover } from "./recover.ts";
import { settlingFirst } from "./settle.ts";
import { kvFor, rewardsOf, type Rewards } from "./rewards.ts";
import { drain } from "./work.ts";
import { hasDied, safeModeOf, type Life } from "./life.ts";
import type { DaemonLog } from "./log.ts";
import { refuseInSafeMode, safeVersionOf, type SafeMode } from "./safe-mode.ts";
import { sha256 } from "./sha256.ts";
import { NO_SUSPECTS, suspectsAfterDeath } from "./suspects.ts";
import type { UnderWay } from "./under-way.ts";
import { refuseWhilePaused } from "./spending.ts";
import type { Workspace } from "./workspace.ts";

export { createRepository } from "../adapters/git/create.ts";
export { waitForLock } from "../adapters/sqlite/lock.ts";
export { requireNativeModules } from "../adapters/sqlite/native-modules.ts";
export { CHECKPOINTS, keepWalSmall } from "../adapters/sqlite/checkpoints.ts";

export type OpenWorkspace = Workspace & {
  readonly operations: Operations;
  readonly events: Events;
  readonly listen: ReturnType<typeof announcing>["listen"];
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
  const { publish, branch } = config;
  const repository = stack.use(await openRepository({ dir, publish, branch }));
  const tell = (sentence: string): void => void process.stderr.write(`hone: ${sentence}\n`);
  const { store: ledger, troubles } = openLedger(path.join(dir, "data", "run", "hone.db"), tell);
  const { store, listen } = announcing(ledger);
  stack.use(store);
  const closing = new AbortController();
  const last = new AbortController();
  const events = eventsOf(store, Date.now);
  const bench = await benchOf({ dir, config, store, stack, tell: events.tell });
  const ours = { owner: sha256(dir), notes: store, isBrief: !exclusive };
  const containers = stack.use(containersFor(config, ours));
  const mode = daemon?.mode ?? (exclusive ? { current: null } : safeModeOf(dir, config));
  const parts = { dir, config, repository, store, events, bench, containers, mode };
  const house = { ...houseOf(parts), model: bench.model, troubles: bothOf(troubles, daemon) };
  const ends = { signal: closing.signal, lastSignal: last.signal };
  const underWay: UnderWay = new Map();
  const queued = {
    listener: async (): Promise<void> => await drain({ house, underWay, ...ends }),
  };
  const oneImprovement = oneAtATime();
  const paths = { dir, refPaths: await refPaths(dir) };
  const common = { ...paths, ...ends, config, house, oneImprovement, queued, underWay, mode };
  const suspects =
    (daemon?.hasDied ?? hasDied(dir))
      ? suspectsAfterDeath(house, config.life.crashes)
      : NO_SUSPECTS;
  const workspace: Workspace = { ...common, suspects, refusal: { last: null } };
  await relearn(house, store);
  await recover(workspace);
  // A daemon follows by itself; a command takes people's commits in, and brings its releases back.
  const followOnce = async (): Promise<void> => (exclusive ? undefined : await follow(workspace));
  await followOnce();
  const owned = stack.move();
  const end = (what: AbortController) => (): void =>
    what.abort(new HoneError("busy", "the workspace is being closed", { retryable: true }));
  const [endWork, endRuns] = [end(closing), end(last)];
  return {
    ...workspace,
    operations: operationsOf(workspace),
    events,
    listen,
    endWork,
    endRuns,
    async [Symbol.asyncDispose]() {
      if (!closing.signal.aborted) await followOnce();
      endWork();
      endRuns();
      await owned[Symbol.asyncDispose]();
    },
  };
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

/** The adapters that run and edit programs. */
type Bench = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  readonly editor: Editor;
  readonly inspect: Editor["inspect"];
  readonly rewards: Rewards;
  readonly secretsOf: House["secretsOf"];
  readonly examining: ExaminePorts;
  /** Null: none is configured. */
  readonly model: WatchedModel | null;
};

async function benchOf({
  dir,
  config,
  store,
  stack,
  tell,
}: {
  readonly dir: string | null;
  readonly config: Config;
  readonly store: Store | null;
  readonly stack: AsyncDisposableStack;
  readonly tell: Events["tell"] | null;
}): Promise<Bench> {
  const sandbox = stack.use(createIsolateSandbox(config.guests));
  const editor = stack.use(createEditor());
  const { fetch } = stack.use(createWeb());
  const secrets = readSecrets({ env: process.env, dir, file: config.secrets.file });
  const model = stack.use(houseModel(config.model, { dir, store, tell }));
  const hosts = createCapabilityHosts({ store, now: Date.now, fetch, secrets, model });
  const inspect: Editor["inspect"] =
    store === null
      ? (source, signal) => editor.inspect(source, signal)
      : cachedInspect(remediedInspect(editor), store, sha256);
  const rewards = await rewardsOf(dir, { inspect, sandbox, check: zodSchemaCheck });
  const unrecorded = dir === null ? "closed" : "reading";
  const examining = { sandbox, hosts, judgeCase: rewards.judgeCase, unrecorded } as const;
  const common = { sandbox, hosts, editor, inspect, rewards, examining, model };
  return { ...common, secretsOf: secretsIn(secrets) };
}

function workshopOf(bench: Bench): Omit<Workshop, "gates" | "proposers"> {
  const { sandbox, hosts, editor, rewards, examining } = bench;
  const closed = { ...examining, unrecorded: "closed" as const };
  const minimise = createMinimise(async (skill, of, signal) => {
    const { judged } = await examine({ skill, cases: [of] }, closed, signal);
    const [one] = judged;
    if (one === undefined) throw new Error("one case gives one judgement");
    return one;
  });
  const { judgeCase } = rewards;
  return { sandbox, hosts, editor, judgeCase, minimise, now: Date.now, newId };
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
  const proposing = { ...bench, settings: config.model, repository, store };
  return {
    ...workshopOf(bench),
    gates: gatesOf({ dir, config, repository, store, containers, bench }),
    proposers: proposersFor(config.proposers, proposing),
    library,
    safeVersion: safeVersionOf(mode, { library, store }),
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
