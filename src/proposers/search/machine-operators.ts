/**
 * The operators on state machines: the faults of state models in Binder ("Testing Object-Oriented
 * Systems", 1999, chapter 7), turned round: wrong or missing transitions, guards and actions. `prior`
 * is how often a fault is taken to be of this kind, in (0,1]; it orders them, and is not measured.
 */
export const MACHINE_OPERATORS = {
  "transition-target": { prior: 0.8, says: "where a transition leads" },
  "missing-transition": { prior: 0.7, says: "a state, taking one more event" },
  "missing-handler": { prior: 0.6, says: "a call, handling how it ends" },
  "transition-guard": { prior: 0.6, says: "the guard of a transition" },
  "initial-state": { prior: 0.5, says: "where a machine begins" },
  "transition-order": { prior: 0.5, says: "the order of transitions" },
  "transition-action": { prior: 0.4, says: "what is done on the way" },
  "invoked-skill": { prior: 0.4, says: "the skill that a state calls" },
  "drop-guard": { prior: 0.3, says: "a transition, dropping its guard" },
  "drop-action": { prior: 0.3, says: "a transition, dropping its actions" },
} as const;

export type MachineOperatorName = keyof typeof MACHINE_OPERATORS;

/** What a change of a machine is called in a sentence; null for another change. */
export function saysOfMachine(operator: string): string | null {
  return Object.hasOwn(MACHINE_OPERATORS, operator)
    ? MACHINE_OPERATORS[operator as MachineOperatorName].says
    : null;
}
