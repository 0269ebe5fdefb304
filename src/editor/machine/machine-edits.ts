import type { ts } from "ts-morph";
import { statesIn, type Machine } from "../../domain/machine.ts";
import type { Edit } from "../../domain/candidate.ts";
import {
  MACHINE_OPERATORS,
  type MachineOperatorName,
} from "../../proposers/search/machine-operators.ts";
import { member } from "./objects.ts";
import type { ReadMachine } from "./read-machine.ts";

/** A change of a machine as splices of its source, with how likely such a change is. */
export type MachineEdit = {
  readonly edits: readonly Extract<Edit, { op: "splice" }>[];
  readonly operator: MachineOperatorName;
  readonly prior: number;
};

/**
 * Single changes of a machine, the likeliest first: a transition leads elsewhere, the machine begins
 * elsewhere, a guard, an action or an invoked skill is another one of the machine's, two transitions
 * on one event change places, a transition for an event that was sent and nobody took, a missing
 * onDone or onError, a guard or an action less. Names are those that the machine has: a change gives
 * it no skill that it did not call before.
 *
 * @param events names of events that failing cases send
 */
export function machineEdits(
  { machine, places }: ReadMachine,
  events: readonly string[],
): readonly MachineEdit[] {
  const states = statesIn(machine.root);
  const siblingsOf = (path: readonly string[]): readonly string[] => {
    const parent = JSON.stringify(path.slice(0, -1));
    return namesIn(states.filter((one) => JSON.stringify(one.path.slice(0, -1)) === parent));
  };
  const childrenOf = (path: readonly string[]): readonly string[] => {
    const own = JSON.stringify(path);
    return namesIn(states.filter((one) => JSON.stringify(one.path.slice(0, -1)) === own));
  };
  const made: MachineEdit[] = [];
  for (const { node, from, isInitial } of places.targets) {
    const names = isInitial || from.length === 0 ? childrenOf(from) : siblingsOf(from);
    const prefix = !isInitial && from.length === 0 && node.text.startsWith(".") ? "." : "";
    for (const name of names) {
      const operator = isInitial ? "initial-state" : "transition-target";
      made.push(...renamed(node, `${prefix}${name}`, operator));
    }
  }
  for (const { node, as } of places.skills) {
    const others = new Set(machine.calls.filter((one) => one.as === as).map(({ skill }) => skill));
    for (const name of others) made.push(...renamed(node, name, NAMED[as]));
  }
  for (const list of places.choices) made.push(...exchanged(list));
  for (const { node, path } of places.states) {
    if (path.length === 0) continue;
    for (const event of eventsFor(machine, path, events)) {
      for (const name of siblingsOf(path)) made.push(withEvent(node, event, name));
    }
  }
  for (const { node, from } of places.invokes) {
    for (const key of ["onDone", "onError"]) {
      if (member(node, key) !== undefined) continue;
      for (const name of siblingsOf(from)) {
        made.push(withMember(node, key, quoted(name), "missing-handler"));
      }
    }
  }
  for (const node of places.transitions) {
    for (const key of ["guard", "actions"]) made.push(...without(node, key));
  }
  return made.toSorted((a, b) => b.prior - a.prior);
}

const NAMED = {
  guard: "transition-guard",
  action: "transition-action",
  invoke: "invoked-skill",
} as const;

function namesIn(states: readonly { readonly path: readonly string[] }[]): readonly string[] {
  return states.flatMap(({ path }) => path.at(-1) ?? []);
}

function renamed(
  node: ts.StringLiteralLike,
  name: string,
  operator: MachineOperatorName,
): readonly MachineEdit[] {
  if (node.text === name) return [];
  return [edit(operator, splice(node.getStart(), node.end, quoted(name)))];
}

/** Each two neighbours of a list of transitions change places. */
function exchanged({ elements }: ts.ArrayLiteralExpression): readonly MachineEdit[] {
  return elements.slice(1).flatMap((second, at) => {
    const first = elements[at];
    if (first === undefined) return [];
    return [
      edit(
        "transition-order",
        splice(first.getStart(), first.end, second.getText()),
        splice(second.getStart(), second.end, first.getText()),
      ),
    ];
  });
}

/** Events that were sent or that the machine knows, and that this state does not take. */
function eventsFor(
  machine: Machine,
  path: readonly string[],
  sent: readonly string[],
): readonly string[] {
  const own = statesIn(machine.root).find((one) => one.path.join("\n") === path.join("\n"));
  if (own === undefined || own.type === "final" || own.type === "history") return [];
  const taken = new Set(own.transitions.map(({ on }) => on));
  return sent.filter((event) => !taken.has(event));
}

function withEvent(node: ts.ObjectLiteralExpression, event: string, name: string): MachineEdit {
  const on = member(node, "on");
  const entry = `${quoted(event)}: ${quoted(name)}`;
  const at = on === undefined ? null : on.getStart() + 1;
  if (at === null) return withMember(node, "on", `{ ${entry} }`, "missing-transition");
  return edit("missing-transition", splice(at, at, ` ${entry},`));
}

function withMember(
  node: ts.ObjectLiteralExpression,
  key: string,
  value: string,
  operator: MachineOperatorName,
): MachineEdit {
  const at = node.getStart() + 1;
  return edit(operator, splice(at, at, ` ${key}: ${value},`));
}

/** A transition without its guard or its actions. */
function without(node: ts.ObjectLiteralExpression, key: string): readonly MachineEdit[] {
  const at = node.properties.findIndex((one) => one.name?.getText().replace(/["']/g, "") === key);
  const property = node.properties[at];
  const next = node.properties[at + 1];
  if (property === undefined) return [];
  const before = node.properties[at - 1];
  const start = next === undefined && before !== undefined ? before.end : property.getStart();
  const end = next === undefined ? property.end : next.getStart();
  return [edit(key === "guard" ? "drop-guard" : "drop-action", splice(start, end, ""))];
}

function edit(operator: MachineOperatorName, ...edits: MachineEdit["edits"]): MachineEdit {
  return { edits, operator, prior: MACHINE_OPERATORS[operator].prior };
}

function splice(start: number, end: number, text: string): Extract<Edit, { op: "splice" }> {
  return { op: "splice", start, end, text };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
