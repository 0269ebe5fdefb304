import { statesIn, type MachineState } from "./machine.ts";

/** The states of a machine by their paths, and where targets lead. */
export type MachineGraph = {
  readonly states: readonly MachineState[];
  readonly parentOf: (state: MachineState) => MachineState | null;
  /** The state that a target names, seen from the state that has the transition; null: none. */
  readonly resolve: (from: MachineState, to: string) => MachineState | null;
  /** The states that are active once a state is entered: itself, those above it, and below it. */
  readonly entered: (state: MachineState) => readonly MachineState[];
};

export function graphOf(root: MachineState): MachineGraph {
  const states = statesIn(root);
  const byPath = new Map(states.map((state) => [keyOf(state.path), state] as const));
  const byId = new Map(states.map((state) => [state.id, state] as const));
  const at = (path: readonly string[]): MachineState | null => byPath.get(keyOf(path)) ?? null;
  const parentOf = ({ path }: MachineState): MachineState | null =>
    path.length === 0 ? null : at(path.slice(0, -1));

  /** As XState reads it: `#id`, `#id.below`, `.below`, or a sibling and what is below it. */
  const resolve = (from: MachineState, to: string): MachineState | null => {
    if (to.startsWith("#")) {
      const whole = byId.get(to.slice(1));
      if (whole !== undefined) return whole;
      const [id = "", ...below] = to.slice(1).split(".");
      const base = byId.get(id);
      return base === undefined ? null : at([...base.path, ...below]);
    }
    if (to.startsWith(".")) return at([...from.path, ...to.slice(1).split(".")]);
    const parent = from.path.length === 0 ? from.path : from.path.slice(0, -1);
    return at([...parent, ...to.split(".")]);
  };

  const below = (state: MachineState): readonly MachineState[] => {
    if (state.type === "parallel") return state.children.flatMap((one) => [one, ...below(one)]);
    const first = state.initial === null ? null : initialOf(state, at, resolve);
    return first === null ? [] : [first, ...below(first)];
  };
  const entered = (state: MachineState): readonly MachineState[] => {
    const found: MachineState[] = [state, ...below(state)];
    for (let above = parentOf(state); above !== null; above = parentOf(above)) {
      found.push(above);
      if (above.type !== "parallel") continue;
      // To be in one region is to be in all of them.
      found.push(...above.children.flatMap((one) => [one, ...below(one)]));
    }
    return found;
  };
  return { states, parentOf, resolve, entered };
}

function initialOf(
  state: MachineState,
  at: (path: readonly string[]) => MachineState | null,
  resolve: (from: MachineState, to: string) => MachineState | null,
): MachineState | null {
  const to = state.initial?.to ?? "";
  return to.startsWith("#")
    ? resolve(state, to)
    : at([...state.path, ...to.replace(/^\./, "").split(".")]);
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
