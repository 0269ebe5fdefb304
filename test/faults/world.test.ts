import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { follow } from "../../src/daemon/follow.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { takeIn } from "../../src/loop.ts";
import type { Settled } from "../../src/records.ts";
import { GOOD_AREA } from "../support/area-skill.ts";
import { inject, type Fault } from "./fault.ts";
import { GitPlan, type GitFault, limitGit } from "./git-wrapper.ts";
import {
  assertClear,
  assertSentence,
  assertServesTheHead,
  assertSound,
  countsOf,
} from "./invariants.ts";
import { aCopyOf, INPUT, RIGHT } from "./site.ts";
import { struck } from "./struck.ts";
import { templates } from "./templates.ts";

type Place = ReturnType<typeof aCopyOf> & { readonly hone: OpenWorkspace };

/** Every call of git in an adoption by merge, and what befalls it. */
const ADOPTION: Readonly<Record<string, GitFault>> = {
  "rev-list.1": "fails",
  "rev-list.2": "dies",
  "rev-list.3": "fails",
  "merge-base.1": "fails",
  "merge-tree.1": "dies",
  "unpack-objects.1": "did",
  "update-ref.1": "torn",
  "update-ref.2": "fails",
};

const adoptions: readonly Fault[] = Object.entries(ADOPTION).map(([call, how]) => ({
  name: `git ${call} of an adoption ${how === "did" ? "is killed after it has worked" : how}`,
  strikes: `adoption: git ${call.replace(".", ", call ")}`,
  holds: async (t) => await adoptionHolds(t, call, how),
}));

export const faults = inject(import.meta.main, {
  kind: "repository",
  faults: [
    {
      name: "somebody else moves the branch hone in the middle of a release",
      strikes: "release: before the branch moves",
      holds: async (t) =>
        await releaseHolds(t, (place) =>
          struck(place.hone.house.repository, "advance", () => {
            const { workspace } = place;
            const head = workspace.git("rev-parse", "hone");
            const commit = workspace.git(
              "commit-tree",
              "-p",
              head,
              "-m",
              "theirs",
              `${head}^{tree}`,
            );
            workspace.git("update-ref", "refs/heads/hone", commit, head);
          }),
        ),
    },
    {
      name: "somebody else writes a note in the middle of a release",
      strikes: "release: before the notes move",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace, hone }) =>
          struck(hone.house.repository, "advance", () => {
            workspace.git("notes", "--ref=hone", "add", "-m", "mine", "main");
          }),
        ),
    },
    {
      name: "a git that lives holds the lock of the branch",
      strikes: "release: refs/heads/hone.lock",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => heldOpen(workspace.dir, "refs/heads/hone.lock")),
    },
    {
      name: "a dead git has left the lock of the branch",
      strikes: "release: refs/heads/hone.lock, old",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => left(workspace.dir, "refs/heads/hone.lock")),
    },
    {
      name: "a dead git has left the lock of the notes",
      strikes: "release: refs/notes/hone.lock, old",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => left(workspace.dir, "refs/notes/hone.lock")),
    },
    {
      name: "a person holds the index's lock",
      strikes: "publication: index.lock",
      holds: async (t) =>
        await publicationHolds(t, ({ workspace }) => heldOpen(workspace.dir, "index.lock")),
    },
    {
      name: "the person has detached HEAD",
      strikes: "publication: HEAD",
      holds: async (t) =>
        await publicationHolds(t, ({ workspace }) => {
          const work = workspace.git("rev-parse", "main");
          workspace.git("update-ref", "--no-deref", "HEAD", work);
          return undo(() => workspace.git("symbolic-ref", "HEAD", "refs/heads/main"));
        }),
    },
    {
      name: "the person is in the middle of a merge",
      strikes: "publication: MERGE_HEAD",
      holds: async (t) =>
        await publicationHolds(t, ({ workspace }) => left(workspace.dir, "MERGE_HEAD")),
    },
    {
      name: "the person is in the middle of a rebase",
      strikes: "publication: rebase-merge",
      holds: async (t) =>
        await publicationHolds(t, ({ workspace }) => left(workspace.dir, "rebase-merge")),
    },
    {
      name: "the person edits the skill that is to be published",
      strikes: "publication: a dirty file",
      holds: async (t) =>
        await publicationHolds(t, ({ workspace }) => {
          const file = "skills/area1/skill.ts";
          const text = workspace.show("main", file);
          workspace.write({ [file]: `${text}// at work\n` });
          return undo(() => workspace.write({ [file]: text }));
        }),
    },
    {
      name: "the person has an untracked file where a release brings one",
      strikes: "release: a file in the way",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => {
          workspace.write({ "skills/area1/draft.txt": "mine\n" });
          return undo(() =>
            renameSync(
              path.join(workspace.dir, "skills/area1/draft.txt"),
              path.join(workspace.dir, "draft.txt"),
            ),
          );
        }),
    },
    {
      name: "the person has the branch hone checked out",
      strikes: "release: HEAD",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => {
          workspace.git("symbolic-ref", "HEAD", "refs/heads/hone");
          return undo(() => workspace.git("symbolic-ref", "HEAD", "refs/heads/main"));
        }),
    },
    {
      name: "the branch hone is deleted under a running hone",
      strikes: "release: refs/heads/hone is gone",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => {
          const head = workspace.git("rev-parse", "hone");
          workspace.git("update-ref", "-d", "refs/heads/hone");
          return undo(() => workspace.git("update-ref", "refs/heads/hone", head));
        }),
    },
    {
      name: "the repository is moved away under a running hone",
      strikes: "release: .git is gone",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => {
          const folder = path.join(workspace.dir, ".git");
          renameSync(folder, `${folder}.away`);
          return undo(() => renameSync(`${folder}.away`, folder));
        }),
    },
    {
      name: "objects of the history are gone",
      strikes: "release: a tree that cannot be read",
      holds: async (t) =>
        await releaseHolds(t, ({ workspace }) => {
          const tree = workspace.git("rev-parse", "hone^{tree}");
          const file = path.join(workspace.dir, ".git/objects", tree.slice(0, 2), tree.slice(2));
          renameSync(file, `${workspace.dir}.tree`);
          return undo(() => renameSync(`${workspace.dir}.tree`, file));
        }),
    },
    {
      name: "the person resets hone's release away from main",
      strikes: "publication: what was taken back",
      holds: releaseTakenBack,
    },
    {
      name: "the person switches to a branch without what hone has taken in",
      strikes: "adoption and publication: another branch",
      holds: otherBranch,
    },
    {
      name: "a person's commit is not sound, and stays",
      strikes: "adoption: the same commit again and again",
      holds: refusedOnce,
    },
    ...adoptions,
  ],
});

function undo(back: () => unknown): Disposable {
  return { [Symbol.dispose]: () => void back() };
}

/** A lock that somebody has open just now. */
function heldOpen(dir: string, name: string): Disposable {
  const file = path.join(dir, ".git", name);
  const descriptor = openSync(file, "wx");
  utimesSync(file, 1, 1);
  return undo(() => {
    closeSync(descriptor);
    renameSync(file, path.join(dir, ".git", "was.lock"));
  });
}

/** A file that a git which is long dead has left. */
function left(dir: string, name: string): Disposable {
  const file = path.join(dir, ".git", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  utimesSync(file, 1, 1);
  return undo(() => existsSync(file) && renameSync(file, path.join(dir, ".git", "was.left")));
}

async function opened(t: TestContext, of: "fallen" | "released"): Promise<Place> {
  const place = aCopyOf(t, (await templates())[of]);
  const hone = await place.workspace.open();
  return { ...place, hone };
}

async function improved({ hone }: Place): Promise<Settled | Error> {
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  const wish = { incident, failing: null, isAsked: true };
  return await improveOne(wish, hone).catch((error: Error) => error);
}

/** A release in a world that is in its way, and again once it is not. */
async function releaseHolds(t: TestContext, disturb: (place: Place) => Disposable): Promise<void> {
  const place = await opened(t, "fallen");
  await using hone = place.hone;
  const before = countsOf(place.workspace);
  {
    using _world = disturb(place);
    const first = await improved(place);
    if (first instanceof Error) assertClear(first);
    else assertSentence(first.reason);
  }
  assertSound(place, { recovered: true });
  if (countsOf(place.workspace)["released"] === before["released"]) {
    const second = await improved(place);
    assert.ok(!(second instanceof Error), String(second));
    assert.equal(second.result, "released", second.reason);
  }
  assert.equal(countsOf(place.workspace)["released"], 1);
  const { value } = await hone.operations.call({ skill: "area1", input: INPUT, expect: RIGHT });
  assert.equal(value, RIGHT);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function publicationHolds(
  t: TestContext,
  disturb: (place: Place) => Disposable,
): Promise<void> {
  const place = await opened(t, "released");
  await using hone = place.hone;
  const { workspace } = place;
  const main = workspace.git("rev-parse", "main");
  {
    using _world = disturb(place);
    await follow(hone);
    assert.equal(workspace.git("rev-parse", "main"), main);
    assertSentence(hone.house.store.note("publication") ?? "");
  }
  assertSound(place, { recovered: true });
  await follow(hone);
  assert.equal(workspace.git("rev-parse", "main"), workspace.git("rev-parse", "hone"));
  assertSound(place, { recovered: true });
}

async function releaseTakenBack(t: TestContext): Promise<void> {
  const place = await opened(t, "released");
  await using hone = place.hone;
  const { workspace } = place;
  const before = workspace.git("rev-parse", "main");
  await follow(hone);
  const made = workspace.git("rev-parse", "main");
  assert.notEqual(made, before);
  workspace.git("reset", "--quiet", "--keep", before);
  workspace.git("add", "notes/staged.md");

  await follow(hone);
  await follow(hone);

  assert.equal(workspace.git("rev-parse", "main"), before, "it is not brought again");
  assert.equal(workspace.git("rev-parse", "hone"), made, "and the history is what it was");
  const publication = hone.house.store.note("publication") ?? "";
  assertSentence(publication);
  assert.match(
    publication,
    new RegExp(`main is without commit ${made.slice(0, 10)}.*git merge hone`),
  );
  await assertServesTheHead(hone, place, "area1");
  workspace.git("merge", "--quiet", "--ff-only", "hone");
  await follow(hone);
  assert.equal(hone.house.store.note("publication"), "up-to-date");
  assertSound(place, { recovered: true });
}

async function otherBranch(t: TestContext): Promise<void> {
  const place = await opened(t, "released");
  await using hone = place.hone;
  const { workspace, person } = place;
  await follow(hone);
  const theirs = person.commit({ "plan.md": "mine\n" });
  await follow(hone);
  assert.equal(workspace.git("rev-parse", "hone"), theirs);
  workspace.git("stash", "--quiet");
  workspace.git("switch", "--quiet", "feature");
  const feature = workspace.git("rev-parse", "feature");
  await hone.operations.rollback({ skill: "area1", by: "ann" });

  await follow(hone);

  assert.equal(workspace.git("rev-parse", "feature"), feature, "the other branch is left alone");
  assert.equal(workspace.git("rev-parse", "main"), workspace.git("rev-parse", "hone"));
  assert.match(hone.house.store.note("publication") ?? "", /^(published|up-to-date)$/);
  workspace.git("switch", "--quiet", "main");
  workspace.git("stash", "pop", "--quiet", "--index");
  await follow(hone);
  assertSound(place, { recovered: true });
}

async function refusedOnce(t: TestContext): Promise<void> {
  const place = await opened(t, "fallen");
  await using hone = place.hone;
  const { workspace, person } = place;
  let looks = 0;
  using _looks = struck(hone.house.library, "loadAll", () => (looks += 1), {
    times: Number.MAX_SAFE_INTEGER,
  });
  const file = "skills/area1/skill.ts";
  person.commit({ [file]: "export const area1 = 1;\n" });

  await follow(hone);
  const first = looks;
  for (let poll = 0; poll < 5; poll += 1) await follow(hone);

  assert.ok(first > 0);
  assert.equal(looks, first, "it is looked at once");
  assert.match(JSON.stringify(hone.house.store.note("refused-commit")), /area1/);
  person.commit({ [file]: GOOD_AREA.replace("function area", "function area1") });
  await follow(hone);
  assert.equal(workspace.git("rev-parse", "hone"), workspace.git("rev-parse", "main"));
  assertSound(place, { recovered: true });
}

async function adoptionHolds(t: TestContext, call: string, how: GitFault): Promise<void> {
  const place = await opened(t, "released");
  await using hone = place.hone;
  const { workspace, person } = place;
  const theirs = person.commit({ "plan.md": "mine\n" });
  const before = countsOf(workspace);
  {
    using plan = new GitPlan(workspace.dir, { [call]: how });
    using _limit = limitGit("update-ref", 1_000);
    const first = await takeIn(hone.house, hone.signal).catch((error: Error) => error);
    if (first instanceof Error) assertClear(first);
    await follow(hone);
    assert.ok(plan.calls.includes(call), `${call} was made; there were ${plan.calls.join(" ")}`);
  }
  assertSound(place, { recovered: true });
  await follow(hone);
  assert.equal(workspace.git("merge-base", theirs, "hone"), theirs, "it is taken in");
  assert.deepEqual(countsOf(workspace), before);
  assert.deepEqual(
    readdirSync(path.dirname(workspace.dir)).filter((name) => name.startsWith("hone-merge-")),
    [],
    "no repository of a merge is left",
  );
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}
