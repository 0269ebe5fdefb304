import { watch, type FSWatcher } from "node:fs";
import { HoneError } from "../domain/errors.ts";
import { backoffMs } from "../domain/incident.ts";
import { takeIn } from "../loop.ts";
import type { Store } from "../ports/store.ts";
import { noteServed } from "./served-versions.ts";
import type { Workspace } from "./workspace.ts";

/** A look at the branches this often, in case the file system told nothing. */
const POLL_MS = 15_000;
/** A refused commit is looked at again after this time, and then ever more seldom. */
const AGAIN_MS = 60_000;
/** Several files change for one commit. */
const SETTLE_MS = 50;

/** The note with the reason why the branches could not be followed; empty: they could. */
const FOLLOW_FAILED = "follow-failed";

/** Takes people's commits in as they arrive, and brings releases to their branch. */
export async function follow(workspace: Workspace): Promise<void> {
  const { house } = workspace;
  const { store } = house;
  await guarded(workspace, async () => {
    await takeInNew(workspace);
    const publication = await house.alone(async () => await house.repository.publish());
    const said = publication.status === "blocked" ? publication.reason : publication.status;
    if (store.note("publication") === said) return;
    store.setNote("publication", said);
    if (publication.status === "blocked") house.tell("publish.blocked", null, { reason: said });
  });
}

/** A commit that was refused is looked at again when it or `hone` has moved, else after a pause. */
async function takeInNew({ house, signal, refusal }: Workspace): Promise<void> {
  const followed = await house.repository.followed();
  const between = `${await house.repository.head()} ${followed?.head ?? ""}`;
  const before = refusal.last?.between === between ? refusal.last : null;
  if (before !== null && house.now() < before.againAt) return;
  const adoption = await takeIn(house, signal);
  const { status } = adoption;
  if (status === "adopted") await noteServed(adoption.skills, house);
  const times = (before?.times ?? 0) + 1;
  const againAt = house.now() + backoffMs(times, AGAIN_MS);
  refusal.last = status === "refused" ? { between, times, againAt } : null;
}

/** What keeps a person's commit from being served, a fault a line; it stands until it is over. */
export function followProblems(store: Pick<Store, "note">): readonly string[] {
  const failed = store.note(FOLLOW_FAILED) ?? "";
  const refused = store.note("refused-commit") ?? "";
  return [
    ...(failed === "" ? [] : [`people's commits could not be looked at: ${failed}`]),
    ...(refused === "" ? [] : [refusalOf(refused)]),
  ];
}

function refusalOf(note: string): string {
  const { commit, problems } = JSON.parse(note) as { commit: string; problems: readonly string[] };
  return `commit ${commit.slice(0, 10)} is not taken in:${problems.map((each) => `\n  ${each}`).join("")}`;
}

/** Follows whenever a branch moves, and `soon` after hone moved its own. */
export function followChanges(
  workspace: Workspace,
): { readonly soon: () => void } & AsyncDisposable {
  let pending: NodeJS.Timeout | null = null;
  let running = Promise.resolve();
  const soon = (): void => {
    if (workspace.signal.aborted) return;
    pending ??= setTimeout(() => {
      pending = null;
      running = running.then(() => follow(workspace));
    }, SETTLE_MS);
  };
  const watchers = workspace.refPaths.flatMap((each) => watcherOf(each, soon));
  const poll = setInterval(soon, POLL_MS);
  return {
    soon,
    async [Symbol.asyncDispose]() {
      clearInterval(poll);
      if (pending !== null) clearTimeout(pending);
      for (const watcher of watchers) watcher.close();
      await running;
    },
  };
}

function watcherOf(folder: string, soon: () => void): FSWatcher[] {
  const watcher = watch(folder, { recursive: folder.endsWith("heads") }, (_, file) => {
    if (file === null || !/\.lock$|^index$|^objects|^hone$/.test(file)) soon();
  });
  // A folder that vanishes leaves the poll.
  watcher.on("error", () => watcher.close());
  return [watcher];
}

/** The world may refuse; that is told once, stands in the status, and is tried again. */
async function guarded({ house, signal }: Workspace, work: () => Promise<void>): Promise<void> {
  const { store } = house;
  let told = "";
  try {
    told = store.note(FOLLOW_FAILED) ?? "";
    await work();
    if (told !== "") store.setNote(FOLLOW_FAILED, "");
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
    if (signal.aborted || told === error.message) return;
    note(error.message, store);
    house.tell("follow.failed", null, { reason: error.message, hint: error.hint });
  }
}

/** A ledger that cannot take the reason is what the status speaks of then. */
function note(reason: string, store: Pick<Store, "setNote">): void {
  try {
    store.setNote(FOLLOW_FAILED, reason);
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
  }
}
