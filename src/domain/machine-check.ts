import {
  nameOfState,
  type Machine,
  type MachineFinding,
  type MachineState,
  type MachineTransition,
} from "./machine.ts";
import { graphOf, type MachineGraph } from "./machine-graph.ts";

/**
 * What is wrong with a machine, before it runs: targets that do not exist, states that cannot be
 * reached, dead ends, errors that nobody handles, transitions that another always takes before, and
 * transitions that follow each other for ever. Guards count as either; so what is found is wrong
 * whatever they say.
 */
export function machineFindings(machine: Machine): readonly MachineFinding[] {
  const graph = graphOf(machine.root);
  const found = [
    ...machine.findings,
    ...graph.states.flatMap((state) => [
      ...initialFindings(state, graph),
      ...targetFindings(state, graph),
      ...invokeFindings(state),
      ...shadowed(state),
    ]),
  ];
  // Paths say nothing while some of their ends do not exist.
  const walked =
    found.length > 0 ? [] : [...unreached(graph), ...deadEnds(graph), ...endless(graph)];
  return [...found, ...walked].toSorted((a, b) => a.line - b.line);
}

function initialFindings(state: MachineState, graph: MachineGraph): MachineFinding[] {
  const { type, initial, line, path } = state;
  if (type !== "compound") return [];
  const name = nameOfState(state);
  if (initial === null) return [{ line, message: `${name} does not say which state is initial` }];
  const first = graph.states.find(
    (one) =>
      one.path.length > path.length &&
      path.every((part, at) => one.path[at] === part) &&
      one.path.slice(path.length).join(".") === initial.to.replace(/^\./, ""),
  );
  const isThere = first !== undefined || graph.resolve(state, initial.to) !== null;
  return isThere
    ? []
    : [{ line: initial.line, message: `${name} begins in "${initial.to}", which is not there` }];
}

function targetFindings(state: MachineState, graph: MachineGraph): MachineFinding[] {
  return state.transitions.flatMap(({ on, targets }) =>
    targets
      .filter(({ to }) => graph.resolve(state, to) === null)
      .map(({ to, line }) => ({
        line,
        message: `${nameOfState(state)}: the transition on ${on} leads to "${to}", which is not there`,
      })),
  );
}

function invokeFindings(state: MachineState): MachineFinding[] {
  return state.invokes
    .filter(({ hasError }) => !hasError)
    .map(({ skill, line }) => ({
      line,
      message: `${nameOfState(state)}: an error of ${skill} is not handled (onError)`,
    }));
}

/** Of transitions on the same event the first one without a guard is taken, and none behind it. */
function shadowed(state: MachineState): MachineFinding[] {
  const groups = Map.groupBy(state.transitions, ({ on }) => on);
  return [...groups].flatMap(([on, some]) => {
    const first = some.findIndex(({ isGuarded }) => !isGuarded);
    return (first === -1 ? [] : some.slice(first + 1)).map(({ line }) => ({
      line,
      message: `${nameOfState(state)}: a transition on ${on} before this one is always taken`,
    }));
  });
}

function unreached(graph: MachineGraph): MachineFinding[] {
  const [root] = graph.states;
  const reached = new Set(root === undefined ? [] : graph.entered(root));
  for (const state of reached) {
    for (const next of successorsOf(state, graph)) {
      for (const one of graph.entered(next)) reached.add(one);
    }
  }
  return graph.states
    .filter((state) => !reached.has(state) && state.type !== "history")
    .map((state) => ({ line: state.line, message: `${nameOfState(state)} cannot be reached` }));
}

function successorsOf(state: MachineState, graph: MachineGraph): readonly MachineState[] {
  return state.transitions.flatMap(({ targets }) =>
    targets.flatMap(({ to }) => historyOf(graph.resolve(state, to), graph)),
  );
}

/** To go to a history state is to go to any of its siblings. */
function historyOf(state: MachineState | null, graph: MachineGraph): readonly MachineState[] {
  if (state === null) return [];
  if (state.type !== "history") return [state];
  return [state, ...(graph.parentOf(state)?.children ?? [])];
}

/** A state without states below that is not final, and that neither it nor one above ever leaves. */
function deadEnds(graph: MachineGraph): MachineFinding[] {
  return graph.states
    .filter((state) => isEnd(state) && !canLeave(state, graph))
    .map((state) => {
      const why =
        state.type === "final"
          ? "is final, and the state around it has no onDone"
          : "is a dead end: it is not final, and nothing leads out of it";
      return { line: state.line, message: `${nameOfState(state)} ${why}` };
    });
}

function isEnd({ type, path }: MachineState): boolean {
  return type === "atomic" ? path.length > 0 : type === "final" && path.length > 1;
}

function canLeave(state: MachineState, graph: MachineGraph): boolean {
  for (let one: MachineState | null = state; one !== null; one = graph.parentOf(one)) {
    const from = one;
    if (one.transitions.some((each) => leads(each, from, state, graph))) return true;
    // A region may rest while the others go on.
    if (graph.parentOf(one)?.type === "parallel") return true;
  }
  return false;
}

function leads(
  { targets }: MachineTransition,
  from: MachineState,
  state: MachineState,
  graph: MachineGraph,
): boolean {
  return targets.some(({ to }) => {
    const target = graph.resolve(from, to);
    return target !== null && target !== state;
  });
}

/** Transitions that need neither an event nor a guard and come back to where they began. */
function endless(graph: MachineGraph): MachineFinding[] {
  return graph.states.flatMap((state) => {
    const seen = new Set<MachineState>();
    for (let at: MachineState | null = state; at !== null;) {
      if (seen.has(at)) {
        const always = alwaysOf(state);
        const message = `${nameOfState(state)}: its transitions without an event never end`;
        return at === state && always !== undefined ? [{ line: always.line, message }] : [];
      }
      seen.add(at);
      const from: MachineState = at;
      const always = alwaysOf(from);
      const [target] = always?.targets ?? [];
      at = target === undefined ? null : graph.resolve(from, target.to);
    }
    return [];
  });
}

function alwaysOf({ transitions }: MachineState): MachineTransition | undefined {
  return transitions.find(({ on, isGuarded }) => on === "always" && !isGuarded);
}
