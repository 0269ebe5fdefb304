import { statfs } from "node:fs/promises";
import type { Followed, Publication } from "../../ports/repository.ts";
import { configEnvironment } from "./environment.ts";
import { type Filters, configuredFilters, filteredFile } from "./filters.ts";
import { HONE_REF, branchRef } from "./names.ts";
import { type Place, locate } from "./place.ts";
import type { ObjectReader } from "./object-reader.ts";
import { rememberPublished } from "./published.ts";
import { moveRefs } from "./refs.ts";
import { type Worktree, exists, holderOf, operationIn, worktrees } from "./worktrees.ts";

/** A merge that finds the disk full leaves files of the checkout half written: 16 MiB in bytes. */
const LEAST_ROOM = 2 ** 24;

type Target = { readonly branch: string; readonly head: string; readonly hone: string };

/** A merge writes files, and one that is stopped half-way leaves a person's checkout half-way. */
const MERGE_LIMIT_MS = 120_000;

/**
 * Brings the followed branch forward to `hone`. Where it is checked out, git's own fast-forward
 * does it, and refuses where a person's work would be touched; elsewhere the branch alone moves.
 * Only hone's own commits are brought: what a person took back, theirs or hone's, does not return.
 */
export async function publish(
  place: Place,
  reader: ObjectReader,
  { followed, hone }: { readonly followed: Followed | null; readonly hone: string },
): Promise<Publication> {
  if (followed === null) return blocked("no branch is followed: HEAD is detached or has no commit");
  const { branch, head, relation } = followed;
  if (followed.takenBack !== null) return blocked(followed.takenBack);
  switch (relation) {
    case "same":
    case "ahead":
      await rememberPublished(place, reader, { branch, hone });
      return { status: "up-to-date" };
    case "diverged":
      return blocked(`${branch} has commits that hone has not taken in yet`);
    case "behind":
      return remembered(await bringForward(place, { branch, head, hone }), () =>
        rememberPublished(place, reader, { branch, hone }),
      );
  }
}

async function remembered(
  publication: Publication,
  remember: () => Promise<void>,
): Promise<Publication> {
  if (publication.status === "published") await remember();
  return publication;
}

async function bringForward(place: Place, target: Target): Promise<Publication> {
  const ref = branchRef(target.branch);
  const worktree = (await worktrees(place)).find(({ branch }) => branch === ref);
  if (worktree !== undefined) return mergeIn(place, target, worktree);
  const holder = await holderOf(place, ref);
  if (holder !== null) return blocked(`${target.branch} is ${holder}`);
  await moveRefs(place, [{ ref, from: target.head, to: target.hone }], "hone: publish");
  return { status: "published" };
}

async function mergeIn(place: Place, target: Target, { folder }: Worktree): Promise<Publication> {
  const checkout = (await exists(folder)) ? await locate(folder, place.now) : null;
  if (checkout === null) return blocked(`the checkout ${folder} of ${target.branch} is gone`);
  const room = await roomIn(folder);
  if (room < LEAST_ROOM) {
    return blocked(
      `the disk of ${folder} has ${Math.floor(room / 2 ** 20)} MB left, too few to be safe`,
    );
  }
  const operation = await operationIn(checkout.gitDir);
  if (operation !== null) return blocked(`${operation} is in progress in ${folder}`);
  const filters = await configuredFilters(checkout);
  const file = await filteredFile(checkout, filters, { from: target.head, to: target.hone });
  if (file !== null)
    return blocked(`${file} goes through a filter program, which hone does not run`);
  return fastForward(checkout, target, filters);
}

/** Bytes that may still be written to a folder. */
async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function fastForward(
  { git }: Place,
  { branch }: Target,
  { silence }: Filters,
): Promise<Publication> {
  const { code, complaint, output } = await git.run({
    args: [
      "merge",
      "--ff-only",
      "--no-autostash",
      "--no-verify-signatures",
      "--no-squash",
      "--no-stat",
      "--quiet",
      HONE_REF,
    ],
    environment: configEnvironment([...silence, [`branch.${branch}.mergeOptions`, ""]]),
    limitMs: MERGE_LIMIT_MS,
    answers: [0, 1, 2, 128],
  });
  return code === 0 ? { status: "published" } : blocked(reasonIn(complaint || output.toString()));
}

/** git's reason with the files that it names, as one sentence; without its advice. */
function reasonIn(complaint: string): string {
  const lines = complaint.split("\n").map((line) => line.trim());
  const advice = lines.findIndex((line) =>
    /^(?:Please |hint: |Aborting|Another git process)/.test(line),
  );
  const reason = (advice === -1 ? lines : lines.slice(0, advice)).filter(Boolean).join(" ");
  return reason.replace(/^(?:fatal|error): /, "") || "git refused the fast-forward";
}

function blocked(reason: string): Publication {
  return { status: "blocked", reason };
}
