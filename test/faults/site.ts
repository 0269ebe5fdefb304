import { after } from "node:test";
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Incident } from "../../src/domain/incident.ts";
import type { Settled } from "../../src/records.ts";
import { BAD_AREA } from "../support/area-skill.ts";
import { childrenOf } from "../support/child-processes.ts";
import { survivors } from "../support/daemon.ts";
import { aWorkspace, skillFiles, TestWorkspace } from "../support/workspace.ts";
import { wrapGit } from "./git-wrapper.ts";
import { NOTES, Person } from "./person.ts";

/** A call that the faulty skill gets wrong, and the search knows how to repair. */
export const INPUT = { width: 2, height: 3 };
export const RIGHT = 6;
export const WRONG = 5;

/** Skills of one fault each: a fault that is injected has one for itself. */
export const SKILLS = 80;

/** A workspace with a person in the middle of work, and hone open on it. */
export class Site implements AsyncDisposable {
  readonly workspace: TestWorkspace;
  readonly person: Person;
  readonly hone: OpenWorkspace;
  #used = 0;

  /** `used`: skills that other sites of the same workspace have had. */
  constructor(workspace: TestWorkspace, person: Person, hone: OpenWorkspace, used = 0) {
    this.#used = used;
    this.workspace = workspace;
    this.person = person;
    this.hone = hone;
  }

  /** A skill that no other fault has touched. */
  fresh(): string {
    this.#used += 1;
    if (this.#used > SKILLS) throw new Error("a site has more faults than skills");
    return `area${this.#used}`;
  }

  /** A live call of a skill, which is right or falls short. */
  async call(skill: string): Promise<JsonObject> {
    return await this.hone.operations.call({ skill, input: INPUT, expect: RIGHT });
  }

  /** The incident that a call which falls short opens. */
  async incident(skill: string): Promise<Incident> {
    await this.call(skill);
    const [incident] = this.hone.house.store.incidents({ skill, limit: 1 });
    if (incident === undefined) throw new Error("the call did not fall short");
    return incident;
  }

  /** One improvement, as a person asks for it, but for what goes on at the branches. */
  async improve(incident: Incident): Promise<Settled> {
    return await improveOne({ incident, failing: null, isAsked: true }, this.hone);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hone[Symbol.asyncDispose]();
  }
}

/** The files of skills with one fault each, which the search repairs. */
export function faultySkills(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, at) => `area${at + 1}`);
  return Object.assign({}, ...names.map(faultySkill)) as Record<string, string>;
}

function faultySkill(name: string): Record<string, string> {
  return skillFiles(name, {
    source: BAD_AREA.replace("function area", `function ${name}`),
    cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
    heldOut: [
      { name: "seven by three", input: { width: 7, height: 3 }, expect: 21 },
      { name: "ten by ten", input: { width: 10, height: 10 }, expect: 100 },
    ],
    // A guest that stands still is waited for no longer than this.
    metadata: "  limits: { timeoutMs: 1000 }",
  });
}

/** A workspace of its own for one fault, with a person at work in it; removed after the test. */
export async function aSiteFolder(
  t: { after(release: () => void): void },
  { skills = 1, files = {} }: { skills?: number; files?: Record<string, string> } = {},
): Promise<{ readonly workspace: TestWorkspace; readonly person: Person }> {
  const workspace = await aWorkspace(t, { ...NOTES, ...faultySkills(skills), ...files });
  t.after(() => rmSync(`${workspace.dir}.faults`, { recursive: true, force: true }));
  return { workspace, person: Person.begin(workspace) };
}

let shared: Promise<Site> | null = null;
let moreFiles: Readonly<Record<string, string>> = {};
const releasers: Release[] = [];

type Release = () => void | Promise<void>;

/** What is released when all tests of the file are over. */
export const atTheEnd = { after: (release: Release): void => void releasers.push(release) };

/** The site that the faults of one file share: hone stays open on it through all of them. */
export async function theSite(): Promise<Site> {
  shared ??= (async () => {
    const { workspace, person } = await aSiteFolder(atTheEnd, { skills: SKILLS, files: moreFiles });
    const hone = await workspace.open();
    return new Site(workspace, person, hone);
  })();
  return await shared;
}

/**
 * Prepares this process for faults: a git that can be struck, and a temporary folder of its own.
 * When all is over, nothing may be left: no process and no folder. `files` are more than the site has.
 */
export function theSites(files: Readonly<Record<string, string>> = {}): void {
  moreFiles = files;
  const tmp = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hone-faults-")));
  process.env["TMPDIR"] = tmp;
  const wrapper = wrapGit();
  after(async () => {
    await (await shared)?.[Symbol.asyncDispose]();
    for (const release of releasers) await release();
    wrapper[Symbol.dispose]();
    const left = readdirSync(tmp);
    const begun = await survivors(childrenOf(process.pid), 5_000);
    rmSync(tmp, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`temporary folders are left: ${left.join(", ")}`);
    if (begun.length > 0) throw new Error(`processes are left: ${begun.join(", ")}`);
  });
}

/** A copy of a workspace as it is now, person and all; removed after the test. */
export function aCopyOf(
  t: { after(release: () => void): void },
  { dir }: TestWorkspace,
): { readonly workspace: TestWorkspace; readonly person: Person } {
  const copy = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hone-copy-")));
  cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
  t.after(() => {
    rmSync(copy, { recursive: true, force: true });
    rmSync(`${copy}.faults`, { recursive: true, force: true });
  });
  const workspace = new TestWorkspace(copy);
  return { workspace, person: new Person(workspace) };
}
