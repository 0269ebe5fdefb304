import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { ProcessEditor } from "../../src/adapters/morph/process-editor.ts";
import type { EditorVerb } from "../../src/editor/protocol.ts";
import { takeIn } from "../../src/loop.ts";
import { GOOD_AREA } from "../support/area-skill.ts";
import { aSiteFolder, RIGHT, theSite, type Site } from "./site.ts";
import { inject, type Fault } from "./fault.ts";
import { improvementHolds } from "./improvement.ts";
import { assertClear, assertSound, countsOf } from "./invariants.ts";
import { strike } from "./processes.ts";
import { struck } from "./struck.ts";

/** The verbs of the editor, where an improvement asks for each, and what comes of its death. */
const VERBS: Readonly<Partial<Record<EditorVerb, string>>> = {
  instrument: "reflect",
  enumerate: "search",
  variants: "search",
  apply: "patch",
  inspect: "patch",
  policyFindings: "the gate policy",
  newTypeErrors: "the gate types",
};

const killedAt: readonly Fault[] = verbs().map(([verb, where]) => ({
  name: `the editor is killed while it is asked to ${verb}`,
  strikes: `${where}: ${verb}`,
  holds: () => improvementStruck(verb, "SIGKILL"),
}));

const stoppedAt: readonly Fault[] = (["apply", "newTypeErrors"] as const).map((verb) => ({
  name: `the editor stands still while it is asked to ${verb}`,
  strikes: `${VERBS[verb] ?? ""}: ${verb}`,
  holds: () => improvementStruck(verb, "SIGSTOP"),
}));

export const faults = inject(import.meta.main, {
  kind: "editor",
  faults: [
    ...killedAt,
    ...stoppedAt,
    {
      name: "the editor is killed while it has nothing to do",
      strikes: "between requests",
      async holds() {
        const site = await theSite();
        await site.call(site.fresh());
        strike(editorOf(site).pid, "SIGKILL");
        await pause(50);
        const { released } = countsOf(site.workspace);
        const settled = await site.improve(await site.incident(site.fresh()));
        assert.equal(settled.result, "released");
        assert.equal(countsOf(site.workspace)["released"], (released ?? 0) + 1);
        assertSound(site, { recovered: true });
      },
    },
    {
      name: "the editor is killed each time it is started for a live call",
      strikes: "call of a skill that nobody has looked at: inspect",
      holds: noEditorForACall,
    },
    {
      name: "the editor is killed while a person's commit is looked at",
      strikes: "adoption: inspect",
      holds: adoptionStruck,
    },
  ],
});

function verbs(): readonly (readonly [EditorVerb, string])[] {
  return Object.entries(VERBS) as [EditorVerb, string][];
}

function editorOf({ hone }: Pick<Site, "hone">): ProcessEditor {
  return hone.house.editor as ProcessEditor;
}

/** As soon as the request is on its way; a process that starts has no pid to aim at before. */
function struckAtVerb(editor: ProcessEditor, verb: EditorVerb, signal: NodeJS.Signals): Disposable {
  return struck(editor, verb, () => {
    setImmediate(() => strike(editor.pid, signal));
  });
}

async function improvementStruck(verb: EditorVerb, signal: NodeJS.Signals): Promise<void> {
  using _short = signal === "SIGSTOP" ? shortDeadline() : null;
  const first = await improvementHolds(async (site, attempt) => {
    using _struck = struckAtVerb(editorOf(site), verb, signal);
    return await attempt();
  });
  const isTold = first instanceof Error ? /editor/ : /editor|operator/;
  assert.match(first instanceof Error ? first.message : first.reason, isTold);
}

/** The editor's own deadline is a minute. */
function shortDeadline(): Disposable {
  const real = globalThis.setTimeout;
  const short = ((work: () => void, ms?: number) =>
    real(work, ms === 60_000 ? 1_500 : ms)) as typeof setTimeout;
  globalThis.setTimeout = Object.assign(short, real);
  return {
    [Symbol.dispose]() {
      globalThis.setTimeout = real;
    },
  };
}

async function noEditorForACall(): Promise<void> {
  const site = await theSite();
  const skill = site.fresh();
  const before = countsOf(site.workspace);
  const editor = editorOf(site);
  strike(editor.pid, "SIGKILL");
  await pause(50);
  {
    using _struck = struckAtVerb(editor, "inspect", "SIGKILL");
    const first = await site.call(skill).catch((error: Error) => error);
    assert.equal(assertClear(first).code, "editor-failed");
  }
  assert.deepEqual(countsOf(site.workspace), before, "no run, no score, no incident");
  await site.call(skill);
  assert.equal(countsOf(site.workspace)["scores"], (before["scores"] ?? 0) + 1);
  assertSound(site, { recovered: true });
}

async function adoptionStruck(t: Parameters<Fault["holds"]>[0]): Promise<void> {
  const { workspace, person } = await aSiteFolder(t);
  await using hone = await workspace.open();
  const site = { workspace, person, hone };
  const theirs = person.commit({
    "skills/area1/skill.ts": GOOD_AREA.replace("function area", "function area1"),
  });
  {
    using _struck = struckAtVerb(editorOf(site), "inspect", "SIGKILL");
    const first = await takeIn(hone.house, hone.signal).catch((error: Error) => error);
    assert.equal(assertClear(first).code, "editor-failed");
  }
  assert.notEqual(workspace.git("rev-parse", "hone"), theirs);
  assertSound(site, { recovered: true });
  const second = await takeIn(hone.house, hone.signal);
  assert.equal(second.status, "adopted");
  const { value } = await hone.operations.call({ skill: "area1", input: { width: 2, height: 3 } });
  assert.equal(value, RIGHT);
  assertSound(site, { recovered: true });
}
