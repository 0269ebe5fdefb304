import { createHash, randomInt, randomUUID } from "node:crypto";
import path from "node:path";
import { createCapabilityHosts } from "../adapters/capabilities/capability-hosts.ts";
import { createMinimise } from "../adapters/fast-check/fast-check-minimise.ts";
import { openRepository } from "../adapters/git/git-repository.ts";
import { refPaths } from "../adapters/git/ref-paths.ts";
import { createIsolateSandbox } from "../adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../adapters/morph/process-editor.ts";
import { takeLock } from "../adapters/sqlite/lock.ts";
import { checkNativeModules } from "../adapters/sqlite/native-modules.ts";
import { retryingStore } from "../adapters/sqlite/retrying-store.ts";
import { openStore, type SqliteStore } from "../adapters/sqlite/sqlite-store.ts";
import { zodSchemaCheck } from "../adapters/zod/zod-schema-check.ts";
import type { Config } from "../config.ts";
import { HoneError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import { cascade } from "../gates/cascade.ts";
import { heldOutIn } from "../library/held-out.ts";
import { openLibrary } from "../library/library.ts";
import type { CapabilityHosts } from "../ports/capabilities.ts";
import type { Skill } from "../domain/skill.ts";
import type { Run } from "../domain/task.ts";
import type { Editor } from "../ports/editor.ts";
import type { House, Workshop } from "../ports/house.ts";
import type { Operations } from "../ports/operations.ts";
import type { Proposer } from "../ports/proposer.ts";
import type { Repository } from "../ports/repository.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { Store } from "../ports/store.ts";
import { createDriftProposer } from "../proposers/drift/drift-proposer.ts";
import { createRevertProposer } from "../proposers/revert/revert-proposer.ts";
import { createSearchProposer } from "../proposers/search/search-proposer.ts";
import { cachedInspect } from "./cached-inspect.ts";
import { eventsOf, type Events } from "./events.ts";
import { operationsOf } from "./operations.ts";
import { rebuild } from "./rebuild.ts";
import { recover } from "./recover.ts";
import { needsKv, rewardsOf, type Rewards } from "./rewards.ts";
import { drain } from "./work.ts";
import type { Workspace } from "./workspace.ts";

export { createRepository } from "../adapters/git/create.ts";
export { CHECKPOINTS, keepWalSmall } from "../adapters/sqlite/checkpoints.ts";

export type OpenWorkspace = Workspace & {
  readonly operations: Operations;
  readonly events: Events;
} & AsyncDisposable;

type OpenOptions = { readonly config: Config; readonly exclusive: boolean };

/**
 * Opens a workspace in this process, which is then its only one. `exclusive` fails at once where
 * another has it; else a short while is waited for it. Throws `busy`, `not-found`, `git-failed`,
 * `store-failed`.
 */
export async function openWorkspace(
  dir: string,
  { config, exclusive }: OpenOptions,
): Promise<OpenWorkspace> {
  const unfit = checkNativeModules();
  if (unfit !== null) throw new HoneError("store-failed", unfit);
  await using stack = new AsyncDisposableStack();
  stack.use(await lockOf(dir, exclusive ? 0 : 5_000));
  const { publish, branch } = config;
  const repository = stack.use(await openRepository({ dir, publish, branch }));
  const store = stack.use(openLedger(dir));
  const closing = new AbortController();
  const events = eventsOf(store, Date.now);
  const bench = await benchOf({ dir, config, store, stack });
  const house = houseOf({ dir, config, repository, store, events, bench });
  const { signal } = closing;
  const queued = { listener: async (): Promise<void> => await drain(house, signal) };
  const workspace = { dir, config, house, refPaths: await refPaths(dir), queued, signal };
  if (store.isNew || store.recovered !== null) await relearn(workspace, store.recovered);
  await recover(workspace);
  const owned = stack.move();
  return {
    ...workspace,
    operations: operationsOf(workspace),
    events,
    async [Symbol.asyncDispose]() {
      closing.abort(new HoneError("busy", "the workspace is being closed", { retryable: true }));
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
): Promise<Workshop & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const bench = await benchOf({ dir: null, config, store: null, stack });
  const gates = cascade({ ...bench.examining, editor: bench.editor, now: Date.now }, null);
  const proposers = names.flatMap((name) => proposerOf(name, bench, null) ?? []);
  const owned = stack.move();
  return { ...workshopOf(bench), gates, proposers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The adapters that run and edit programs. */
type Bench = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  readonly editor: Editor;
  readonly inspect: Editor["inspect"];
  readonly rewards: Rewards;
  readonly examining: ExaminePorts;
};

async function benchOf({ dir, config, store, stack }: {
  readonly dir: string | null;
  readonly config: Config;
  readonly store: Store | null;
  readonly stack: AsyncDisposableStack;
}): Promise<Bench> {
  const sandbox = stack.use(createIsolateSandbox(config.guests));
  const editor = stack.use(createEditor());
  const hosts = createCapabilityHosts({ store: store ?? NO_KV, now: Date.now });
  const inspect: Editor["inspect"] =
    store === null
      ? (source, signal) => editor.inspect(source, signal)
      : cachedInspect(editor, store, sha256);
  const rewards = await rewardsOf(dir, { inspect, sandbox, check: zodSchemaCheck });
  const unrecorded = dir === null ? "closed" : "reading";
  const examining = { sandbox, hosts, judgeCase: rewards.judgeCase, unrecorded } as const;
  return { sandbox, hosts, editor, inspect, rewards, examining };
}

/** Live runs need a workspace; without one nothing asks for stored values. */
const NO_KV: Parameters<typeof createCapabilityHosts>[0]["store"] = {
  kvGet: () => undefined,
  kvSet: () => undefined,
  kvDelete: () => undefined,
  kvList: () => [],
};

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

function houseOf({ dir, config, repository, store, events, bench }: {
  readonly dir: string;
  readonly config: Config;
  readonly repository: Repository;
  readonly store: Store;
  readonly events: Events;
  readonly bench: Bench;
}): House {
  const { rewards, inspect, examining, editor } = bench;
  const library = openLibrary({ repository, inspect, rewardProblems: rewards.problems });
  const common = { ...examining, editor, now: Date.now };
  const heldOut = heldOutIn(dir, ({ name }, limit) => store.runs({ skill: name, heldOut: true, limit }));
  const gates = cascade(common, {
    differential: { ...common, passingRuns: (skill) => passingRuns(skill, store) },
    heldOut: {
      ...common,
      heldOut,
      minimum: config.heldOut.minimum,
      countLook: ({ name }) => store.countHeldOutLook(name),
    },
  });
  return {
    ...workshopOf(bench),
    gates,
    proposers: config.proposers.flatMap((name) => proposerOf(name, bench, repository) ?? []),
    library,
    store,
    repository,
    score: async (run, signal) => {
      const kv = needsKv(run.skill) ? kvOf(run.skill.name, store) : {};
      return await rewards.score({ ...run, kv }, signal);
    },
    inputProblems: ({ inputSchema }, input) => zodSchemaCheck(inputSchema, input),
    sha256,
    newSeed: () => randomInt(2 ** 31),
    tools: { node: process.version },
    alone: oneAtATime(),
    tell: events.tell,
    settings: {
      heldOutShare: config.heldOut.share,
      budgetMs: config.improve.budgetMs,
      candidates: config.improve.candidates,
      backoffMs: config.improve.backoffMs,
      watch: config.watch,
    },
  };
}

function proposerOf(
  name: Config["proposers"][number],
  { editor, sandbox, hosts, rewards, examining }: Bench,
  repository: Repository | null,
): Proposer | null {
  switch (name) {
    case "revert":
      return repository === null ? null : createRevertProposer({ repository });
    case "drift":
      return createDriftProposer({ ...examining, editor });
    case "search":
      return createSearchProposer({ editor, sandbox, hosts, judgeCase: rewards.judgeCase });
  }
}

/** Live runs that candidates are compared with, at most. */
const COMPARED = 30;

function passingRuns({ name, version, manifest }: Skill, store: Store): readonly Run[] {
  const minimumScore = manifest.reward.threshold;
  return store.runs({ skill: name, version, heldOut: false, minimumScore, limit: COMPARED });
}

function kvOf(skill: string, store: Store): JsonObject {
  return Object.fromEntries(
    store.kvList(skill, "").map((key) => [key, store.kvGet(skill, key) ?? null]),
  );
}

function openLedger(dir: string): SqliteStore {
  const store = openStore(path.join(dir, "data", "run", "hone.db"));
  const onFailure = (what: string, error: HoneError): void => {
    process.stderr.write(`hone: the ledger could not take ${what}: ${error.message}. ${error.hint}\n`);
  };
  return retryingStore(store, { onFailure });
}

async function lockOf(dir: string, patienceMs: number): Promise<Disposable> {
  const endsAt = Date.now() + patienceMs;
  for (;;) {
    const lock = takeLock(path.join(dir, "data", "run", "hone.lock"));
    if (lock !== null) return lock;
    if (Date.now() >= endsAt) {
      throw new HoneError("busy", `another hone process works in ${dir}`, {
        hint: "Wait for it to end; `hone status` asks a running daemon.",
        retryable: true,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A lost ledger is written again as far as git knows, and a person is told. */
async function relearn({ house }: Pick<Workspace, "house">, lost: string | null): Promise<void> {
  const found = await rebuild(house.repository, house.store, await house.library.names());
  if (lost === null && found === 0) return;
  const said = `the ledger was rebuilt from git with ${found} releases${lost === null ? "" : `: ${lost}`}`;
  house.store.setNote("ledger-rebuilt", said);
  house.tell("ledger.rebuilt", null, { releases: found, lost });
}

function oneAtATime(): House["alone"] {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return await mine;
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function newId(kind: string): string {
  return `${kind.slice(0, 4)}_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
}
