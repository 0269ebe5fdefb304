import type { Client } from "../serve/http/client.ts";
import type { PriceApi } from "./api.ts";
import { NAME, type Person } from "./person.ts";
import { look, waitFor, type Expected, type Version } from "./view.ts";

/** What a step works with. The daemon decides what happens; a step changes the world and waits. */
export type Scene = {
  readonly api: PriceApi;
  readonly person: Person;
  readonly client: Client;
  readonly signal: AbortSignal;
};

/** One row of the table at the end. */
export type Change = {
  readonly what: string;
  readonly incident: string | null;
  readonly commit: string;
  readonly ms: number;
  /** Before and after. */
  readonly reward: string;
};

export type Step = {
  readonly name: string;
  /** What happens in the world, for the reader. */
  readonly says: string;
  /** Resolves with what was seen; throws `Unmet` when that does not come. */
  readonly play: (scene: Scene) => Promise<{ readonly detail: string; readonly change?: Change }>;
};

/** A step has this long; on an idle machine each takes a few seconds. */
const WITHIN_MS = 90_000;

/** Live runs that make "it goes on". */
const SOME = 10;

/** The story, in order. */
export const STEPS: readonly Step[] = [
  {
    name: "serve",
    says: "the daemon serves tasks; the API is at version 1",
    play: (scene) => goesOn(scene, 2 * SOME),
  },
  {
    name: "moved",
    says: "the API retires version 1; in version 2 `price` is called `unit_price`",
    async play(scene) {
      scene.api.retireV1();
      return await repaired(scene, "endpoint-gone");
    },
  },
  {
    name: "limited",
    says: "version 2 answers one request in five with 429 and Retry-After",
    play: (scene) => repaired(scene, "rate-limited"),
  },
  { name: "go on", says: "the tasks go on", play: (scene) => goesOn(scene, SOME) },
  {
    name: "refusal",
    says: `${NAME} commits a change that loses a cent`,
    async play(scene) {
      return refused(scene, await scene.person.commitMistake());
    },
  },
  {
    name: "adoption",
    says: `${NAME} commits a better one`,
    async play(scene) {
      return adopted(scene, await scene.person.commitImprovement());
    },
  },
  { name: "go on again", says: "the tasks go on", play: (scene) => goesOn(scene, 3 * SOME) },
  {
    name: "bad release",
    says: "the API announces version 3 and switches version 2 off for one item",
    async play(scene) {
      const { releases } = await look(scene.client);
      scene.api.announceV3();
      const known = releases.map(({ commit }) => commit);
      const seen = await repaired(scene, "endpoint-gone", known);
      scene.api.spoilV3();
      return seen;
    },
  },
  {
    name: "rollback",
    says: "version 3 turns out worse: no currency and no delivery; version 2 is whole again",
    play: (scene) => rolledBack(scene),
  },
  { name: "go on in the end", says: "the tasks go on", play: (scene) => goesOn(scene, SOME) },
];

type Played = Awaited<ReturnType<Step["play"]>>;

async function expected<T>(
  { client, signal }: Scene,
  what: string,
  find: Expected<T>["find"],
): Promise<T> {
  return await waitFor({ what, withinMs: WITHIN_MS, find }, client, signal);
}

/** The active version carries out tasks with full reward. */
async function goesOn(scene: Scene, runs: number): Promise<Played> {
  const what = `the active version carries out ${runs} tasks, mostly with full reward`;
  const { subject, ...active } = await expected(scene, what, ({ versions: [active] }) =>
    active !== undefined && active.runs >= runs && (active.meanReward ?? 0) > 0.9 ? active : null,
  );
  const mean = (active.meanReward ?? 0).toFixed(2);
  return { detail: `${active.runs} runs of "${subject}", mean reward ${mean}` };
}

/** A release that nobody has told of yet repairs an incident of this class. */
async function repaired(
  scene: Scene,
  failureClass: string,
  known: readonly string[] = [],
): Promise<Played> {
  const what = `hone notices an incident ${failureClass} and releases a repair`;
  const { release, incident, version } = await expected(scene, what, (view) => {
    for (const release of view.releases.filter(({ commit }) => !known.includes(commit))) {
      const incident = view.incidents.find(({ id }) => id === release.incident);
      const version = view.versions.find(({ commit }) => commit === release.commit);
      const isMade = release.reverts === null && release.state !== "pending";
      if (isMade && version !== undefined && incident?.failureClass === failureClass) {
        return { release, incident, version };
      }
    }
    return null;
  });
  const { commit, releasedAt, reason } = release;
  return {
    detail: `incident ${failureClass}, repaired by ${short(commit)}: ${reason}`,
    change: {
      what: plainSubject(version),
      incident: incident.id,
      commit,
      ms: releasedAt - incident.openedAt,
      reward: version.reward ?? "",
    },
  };
}

/** The commit is named among the problems, and what is served is what it was. */
async function refused(scene: Scene, commit: string): Promise<Played> {
  const startedAt = performance.now();
  const what = `commit ${short(commit)} is refused and reported`;
  const problem = await expected(scene, what, ({ problems, versions }) => {
    if (versions.some((version) => version.commit === commit)) return null;
    return problems.find((each) => each.includes(short(commit))) ?? null;
  });
  const ms = performance.now() - startedAt;
  const change = { what: `${NAME}: refused`, incident: null, commit, ms, reward: "" };
  return { detail: problem.replaceAll(/\s*\n\s*/g, " "), change };
}

async function adopted(scene: Scene, commit: string): Promise<Played> {
  const startedAt = performance.now();
  const what = `commit ${short(commit)} is taken in and served`;
  const version = await expected(scene, what, ({ versions: [active], problems }) =>
    active?.commit === commit && !problems.some((each) => each.includes("not taken in"))
      ? active
      : null,
  );
  const ms = performance.now() - startedAt;
  return {
    detail: `"${version.subject}" is the active version`,
    change: { what: `${NAME}: ${version.subject}`, incident: null, commit, ms, reward: "" },
  };
}

/** The release under watch is taken back by a revert commit, which is the active version then. */
async function rolledBack(scene: Scene): Promise<Played> {
  const what = "the watch sees that rewards fall and takes the release back by one revert commit";
  const { revert, bad, version } = await expected(scene, what, ({ releases, versions }) => {
    const [version] = versions;
    const revert = releases.find(({ reverts }) => reverts !== null);
    const bad = releases.find(({ commit }) => commit === revert?.reverts);
    if (version === undefined || revert === undefined || bad?.state !== "rolled-back") return null;
    return version.commit === revert.commit ? { revert, bad, version } : null;
  });
  return {
    detail: `${short(bad.commit)} is taken back by ${short(revert.commit)}: ${revert.reason}`,
    change: {
      what: plainSubject(version),
      incident: null,
      commit: revert.commit,
      ms: revert.releasedAt - bad.releasedAt,
      reward: meansIn(revert.reason),
    },
  };
}

/** `1.00 -> 0.62`, from the watch's reason, which names the mean of the new version first. */
function meansIn(reason: string): string {
  const [after, before] = (reason.match(/\d\.\d+/g) ?? []).map(Number);
  return `${before?.toFixed(2)} -> ${after?.toFixed(2)}`;
}

function plainSubject({ subject }: Version): string {
  return subject.replace(/^skill\([^)]*\): /, "");
}

function short(commit: string): string {
  return commit.slice(0, 10);
}
