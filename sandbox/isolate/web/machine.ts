import {
  assign,
  createActor,
  createMachine,
  fromPromise,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
} from "xstate";
import {
  inputOf,
  isMembers,
  membersOf,
  plainError,
  type Given,
  type Members,
} from "./machine-data.ts";
import { namesIn } from "./machine-names.ts";

/** What of `ctx` a machine uses. */
type Skills = { readonly skills: { call(name: string, input: Members): Promise<unknown> } };

/** The configuration of a state machine: data, with the names of skills where XState has functions. */
type MachineConfig = Parameters<typeof createMachine>[0] & { readonly context?: Members };

/** An effect that XState hands out and does not carry out by itself. */
type Effect = { readonly type: string; readonly params?: unknown };

type Timer = { readonly id: string; readonly event: EventObject; readonly dueAt: number };

/** What a machine came to. */
type Result = {
  readonly state: unknown;
  readonly done: boolean;
  readonly output: unknown;
  readonly context: unknown;
};

/** Transitions of one run at most: a machine that goes round for ever ends here. */
const MOST_STEPS = 1_000;

/**
 * Runs a state machine by XState's pure transition functions. Guards and actions are synchronous in
 * XState and skills are not: a step that comes to a skill whose answer is not there is given up, the
 * skill is asked, and the step is taken again from its beginning with the answers so far, as durable
 * execution does with its log. A step depends on nothing else, so it goes the same way.
 *
 * The input is merged into the context. A skill is called with the members of the context, of the
 * event, and of the input or params that the configuration gives, the last ones first; it picks
 * those that its parameters name. What an action's skill returns is merged into the context.
 */
async function runMachine(
  config: MachineConfig,
  input: Members | null,
  events: readonly EventObject[] | null,
  { skills }: Skills,
): Promise<Result> {
  const run = new Run(withInput(config, input ?? {}), skills);
  await run.begin();
  for (const event of events ?? []) {
    if (run.isOver()) break;
    await run.send(event);
  }
  await run.finishTimers();
  return run.result();
}

function withInput(config: MachineConfig, input: Members): MachineConfig {
  return { ...config, context: { ...membersOf(config.context), ...input } };
}

/** Thrown to give a step up; what is wanted stands in the run, for XState wraps what guards throw. */
const WANTS = new Error("a skill is to be asked");

type Wanted = {
  readonly skill: string;
  readonly input: Members;
  readonly tell: (told: Told) => void;
};
type Told = { readonly value: unknown } | { readonly error: unknown };
type Step = (scope: never) => AnyMachineSnapshot;

class Run {
  readonly #machine: AnyStateMachine;
  readonly #skills: Skills["skills"];
  #snapshot: AnyMachineSnapshot | null = null;
  #told: Told[] = [];
  readonly #guards = new Map<string, Told>();
  #asked = 0;
  #wanted: Wanted | null = null;
  #steps = 0;
  #now = 0;
  #timers: Timer[] = [];

  constructor(config: MachineConfig, skills: Skills["skills"]) {
    this.#skills = skills;
    const names = namesIn(config);
    const each = <T>(some: ReadonlySet<string>, make: (name: string) => T): Record<string, T> =>
      Object.fromEntries([...some].map((name) => [name, make(name)]));
    this.#machine = createMachine(config).provide({
      guards: each(names.guards, (name) => (args: Given, params: unknown) => {
        return this.#askGuard(name, inputOf(args, params)) === true;
      }),
      actions: each(names.actions, (name) =>
        assign((args: Given, params: unknown) => {
          const value = this.#askAction(name, inputOf(args, params));
          return isMembers(value) ? { ...value } : {};
        }),
      ),
      // Never started: what is invoked is asked for by this run, one after the other.
      actors: each(names.invoked, () => fromPromise(() => new Promise(() => undefined))),
    });
  }

  async begin(): Promise<void> {
    await this.#take((scope) => this.#machine.getInitialSnapshot(scope) as AnyMachineSnapshot);
  }

  async send(event: EventObject): Promise<void> {
    const before = this.#snapshot;
    if (before === null || before.status !== "active") return;
    await this.#take((scope) => this.#machine.transition(before, event, scope));
  }

  isOver(): boolean {
    return this.#snapshot?.status !== "active";
  }

  /** When nothing else is to come, time goes on to the next delayed transition. */
  async finishTimers(): Promise<void> {
    while (!this.isOver()) {
      const next = this.#timers.toSorted((a, b) => a.dueAt - b.dueAt)[0];
      if (next === undefined) return;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      const waits = next.dueAt - this.#now;
      if (waits > 0) await new Promise<void>((resolve) => void setTimeout(resolve, waits));
      this.#now = Math.max(this.#now, next.dueAt);
      await this.send(next.event);
    }
  }

  result(): Result {
    const snapshot = this.#snapshot as AnyMachineSnapshot;
    if (snapshot.status === "error") {
      throw new Error(String(membersOf(snapshot.error)["message"] ?? snapshot.error));
    }
    const { value, context, output, status } = snapshot;
    return { state: value, done: status === "done", output: output ?? null, context };
  }

  /** One step and what follows of it: invoked skills are asked in the order of the configuration. */
  async #take(step: Step): Promise<void> {
    if (++this.#steps > MOST_STEPS)
      throw new Error(`the machine takes more than ${MOST_STEPS} steps`);
    const { snapshot, effects } = await this.#replayed(step);
    this.#snapshot = snapshot;
    const invoked: { readonly id: string; readonly skill: string; readonly input: unknown }[] = [];
    for (const { type, params } of effects) {
      const given = (params ?? {}) as Members;
      if (type === "xstate.spawnChild") {
        invoked.push({
          id: String(given["id"]),
          skill: String(given["src"]),
          input: given["input"],
        });
      }
      if (type === "xstate.raise" && typeof given["delay"] === "number") {
        const dueAt = this.#now + given["delay"];
        this.#timers.push({ id: String(given["id"]), event: given["event"] as EventObject, dueAt });
      }
      if (type === "xstate.cancel") {
        this.#timers = this.#timers.filter(
          ({ id }) => id !== given["sendId"] && id !== given["id"],
        );
      }
    }
    for (const { id, skill, input } of invoked) {
      // A state that was left meanwhile waits for nobody.
      if (this.isOver() || !Object.hasOwn(this.#snapshot?.children ?? {}, id)) continue;
      const context = this.#snapshot?.context as unknown;
      const event = { type: "" };
      const told = await this.#call(skill, inputOf({ context, event }, input));
      await this.send(
        "value" in told
          ? ({ type: `xstate.done.actor.${id}`, output: told.value } as EventObject)
          : ({ type: `xstate.error.actor.${id}`, error: plainError(told.error) } as EventObject),
      );
    }
  }

  /** A step, taken again until all skills that it comes to have answered. */
  async #replayed(
    step: Step,
  ): Promise<{ readonly snapshot: AnyMachineSnapshot; readonly effects: readonly Effect[] }> {
    this.#told = [];
    this.#guards.clear();
    for (let asked = 0; asked <= MOST_STEPS; asked += 1) {
      this.#asked = 0;
      this.#wanted = null;
      const effects: Effect[] = [];
      try {
        const snapshot = step(scopeFor(effects) as never);
        if (this.#wanted === null) return { snapshot, effects };
      } catch (thrown) {
        if (this.#wanted === null) throw thrown;
      }
      const { skill, input, tell } = this.#wanted as Wanted;
      tell(await this.#call(skill, input));
    }
    throw new Error("one step of the machine asks skills without end");
  }

  /** XState asks a guard more than once in a step: one that is given the same says the same. */
  #askGuard(skill: string, input: Members): unknown {
    const key = JSON.stringify([skill, input]);
    return this.#answer(this.#guards.get(key), {
      skill,
      input,
      tell: (told) => void this.#guards.set(key, told),
    });
  }

  #askAction(skill: string, input: Members): unknown {
    const told = this.#told[this.#asked];
    this.#asked += 1;
    return this.#answer(told, { skill, input, tell: (one) => void this.#told.push(one) });
  }

  #answer(told: Told | undefined, wanted: Wanted): unknown {
    if (told === undefined) {
      this.#wanted ??= wanted;
      throw WANTS;
    }
    if ("error" in told) throw told.error;
    return told.value;
  }

  async #call(skill: string, input: Members): Promise<Told> {
    try {
      return { value: await this.#skills.call(skill, input) };
    } catch (error) {
      return { error };
    }
  }
}

/**
 * What a step needs of the actor that it is not part of. XState's own `transition` makes one of the
 * machine itself, which enters the initial state once more, and asks its skills with it.
 */
function scopeFor(effects: Effect[]): object {
  const self = createActor(createMachine({}));
  return {
    self,
    id: "",
    sessionId: "",
    system: self.system,
    defer: () => undefined,
    logger: () => undefined,
    stopChild: () => undefined,
    emit: () => undefined,
    actionExecutor: (effect: Effect) => void effects.push(effect),
  };
}

Object.defineProperty(globalThis, "__hone_machine", { value: runMachine });
