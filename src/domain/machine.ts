/** A state machine's configuration as data, with the line of each thing (from 1). */
export type Machine = {
  readonly root: MachineState;
  /** All skills that it names, in the order of writing. */
  readonly calls: readonly MachineCall[];
  /** What was read and cannot stand where it stands. */
  readonly findings: readonly MachineFinding[];
};

export type MachineFinding = { readonly line: number; readonly message: string };

/** A skill that a state names. */
export type MachineCall = {
  readonly skill: string;
  readonly as: "guard" | "action" | "invoke";
  /** The state's path, its parts joined by dots; empty: the machine itself. */
  readonly state: string;
  readonly line: number;
};

export type MachineState = {
  /** Names from the root down; empty: the machine itself. */
  readonly path: readonly string[];
  readonly line: number;
  /** As `#id` in targets. */
  readonly id: string;
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history";
  readonly initial: MachineTarget | null;
  readonly transitions: readonly MachineTransition[];
  readonly invokes: readonly MachineInvoke[];
  readonly children: readonly MachineState[];
};

/** A target as it is written. */
export type MachineTarget = { readonly to: string; readonly line: number };

export type MachineTransition = {
  /** What it is taken on: an event, `always`, `after 1000`, `onDone`, `invoke 0 onError`. */
  readonly on: string;
  readonly line: number;
  readonly targets: readonly MachineTarget[];
  readonly isGuarded: boolean;
};

export type MachineInvoke = {
  readonly skill: string;
  readonly line: number;
  readonly hasDone: boolean;
  readonly hasError: boolean;
};

/** A state's name as people say it. */
export function nameOfState({ path }: Pick<MachineState, "path">): string {
  return path.length === 0 ? "the machine" : `state "${path.join(".")}"`;
}

/** A state and all states below it. */
export function statesIn(state: MachineState): readonly MachineState[] {
  return [state, ...state.children.flatMap(statesIn)];
}
