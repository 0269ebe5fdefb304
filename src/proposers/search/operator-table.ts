/**
 * The operators of the search. `prior` is how often real fixes are of this kind, `trust` how often
 * an edit of this kind that satisfies the visible cases is also right on others; both in (0,1].
 *
 * The proportions follow published counts: ManySStuBs4J (Karampatsis and Sutton, MSR 2020: changed
 * identifier, literal, operator, operand, arguments, function), BugsJS (Gyimesi et al., ICST 2019:
 * conditions 124, assigned expressions 115, arguments 67, preconditions 89, returns 33, methods 17)
 * and the mutators of StrykerJS with their inverses. Deleting code, and constants that happen to
 * fit, satisfy weak cases for the wrong reason (Qi et al., ISSTA 2015), hence their low trust.
 */
export const OPERATORS = {
  comparison: { prior: 0.9, trust: 0.95, says: "a comparison" },
  equality: { prior: 0.6, trust: 0.85, says: "an equality" },
  arithmetic: { prior: 0.8, trust: 0.9, says: "an arithmetic operator" },
  logical: { prior: 0.5, trust: 0.9, says: "a logical operator" },
  bitwise: { prior: 0.1, trust: 0.8, says: "a bitwise operator" },
  assignment: { prior: 0.4, trust: 0.85, says: "an assignment operator" },
  update: { prior: 0.2, trust: 0.8, says: "an increment" },
  "operand-order": { prior: 0.25, trust: 0.85, says: "the order of operands" },
  number: { prior: 0.7, trust: 0.7, says: "a number" },
  "off-by-one": { prior: 0.6, trust: 0.8, says: "a value by one" },
  exchange: { prior: 0.25, trust: 0.85, says: "the places of two parts" },
  negate: { prior: 0.4, trust: 0.75, says: "a condition to its opposite" },
  grouping: { prior: 0.2, trust: 0.85, says: "the grouping of operands" },
  sibling: { prior: 0.12, trust: 0.8, says: "a condition, adding a twin of one of its parts" },
  "all-alike": { prior: 0.3, trust: 0.85, says: "all operators or constants of one kind" },
  "use-result": { prior: 0.3, trust: 0.9, says: "a call, using its result" },
  "both-sides": { prior: 0.25, trust: 0.9, says: "a comparison, making both sides alike" },
  clean: { prior: 0.25, trust: 0.85, says: "a text, cleaning or escaping it" },
  separator: { prior: 0.4, trust: 0.95, says: "where a text is divided" },
  accumulate: { prior: 0.15, trust: 0.8, says: "an assignment, keeping what was there" },
  sequential: { prior: 0.3, trust: 0.95, says: "work that ran all at once, doing it in order" },
  "response-guard": { prior: 0.3, trust: 0.9, says: "a request, looking at its status" },
  "drop-operand": { prior: 0.45, trust: 0.75, says: "an expression, dropping an operand" },
  constant: { prior: 0.06, trust: 0.25, says: "a condition to a constant" },
  narrow: { prior: 0.3, trust: 0.6, says: "a condition, making it stricter" },
  widen: { prior: 0.3, trust: 0.6, says: "a condition, making it looser" },
  identifier: { prior: 0.7, trust: 0.8, says: "a name" },
  expression: { prior: 0.12, trust: 0.5, says: "an expression" },
  "add-operand": { prior: 0.2, trust: 0.6, says: "an expression, adding an operand" },
  member: { prior: 0.4, trust: 0.8, says: "a member name" },
  method: { prior: 0.4, trust: 0.85, says: "a method" },
  "drop-call": { prior: 0.2, trust: 0.75, says: "an expression, dropping a call" },
  "add-call": { prior: 0.25, trust: 0.75, says: "an expression, adding a call" },
  "argument-order": { prior: 0.3, trust: 0.9, says: "the order of arguments" },
  "drop-argument": { prior: 0.15, trust: 0.7, says: "a call, dropping an argument" },
  "add-argument": { prior: 0.25, trust: 0.75, says: "a call, adding an argument" },
  wrap: { prior: 0.3, trust: 0.85, says: "an expression, wrapping it in a call" },
  clamp: { prior: 0.12, trust: 0.7, says: "a value to stay within a bound" },
  global: { prior: 0.3, trust: 0.85, says: "a built-in function" },
  nullish: { prior: 0.35, trust: 0.95, says: "how a missing value is recognised" },
  "optional-chain": { prior: 0.3, trust: 0.8, says: "a read to allow for a missing value" },
  fallback: { prior: 0.3, trust: 0.75, says: "an expression, adding a default" },
  guard: { prior: 0.35, trust: 0.6, says: "a function, adding a guard" },
  refusal: { prior: 0.35, trust: 0.75, says: "a function, raising the error that is wanted" },
  precondition: { prior: 0.15, trust: 0.5, says: "a statement, adding a precondition" },
  await: { prior: 0.3, trust: 0.95, says: "a promise, waiting for it" },
  copy: { prior: 0.3, trust: 0.95, says: "a mutation to work on a copy" },
  "delete-statement": { prior: 0.15, trust: 0.35, says: "a block, dropping a statement" },
  "swap-statements": { prior: 0.25, trust: 0.75, says: "the order of statements" },
  "move-statement": { prior: 0.2, trust: 0.7, says: "where a statement stands" },
  "missing-update": { prior: 0.3, trust: 0.8, says: "a loop, adding the change of a variable" },
  jump: { prior: 0.15, trust: 0.5, says: "a jump" },
  branch: { prior: 0.2, trust: 0.6, says: "a branch" },
  "return-value": { prior: 0.2, trust: 0.4, says: "what is returned" },
  boolean: { prior: 0.35, trust: 0.6, says: "a boolean" },
  string: { prior: 0.35, trust: 0.65, says: "a string" },
  loop: { prior: 0.3, trust: 0.85, says: "the bounds of a loop" },
  regex: { prior: 0.5, trust: 0.7, says: "a regular expression" },
  idiom: { prior: 0.35, trust: 0.85, says: "a known pitfall" },
  "bare-object": { prior: 0.2, trust: 0.95, says: "an object to have no inherited members" },
  comparator: { prior: 0.4, trust: 0.9, says: "how values are sorted" },
  "synthesise-condition": { prior: 0.3, trust: 0.4, says: "a condition, made anew" },
  "synthesise-value": { prior: 0.25, trust: 0.35, says: "an expression, made anew" },
  "synthesise-guard": { prior: 0.2, trust: 0.25, says: "a function, adding a guard made anew" },
  rounding: { prior: 0.3, trust: 0.85, says: "how a number is rounded" },
} as const;

export type OperatorName = keyof typeof OPERATORS;

/** Whether a name is one of the table's. */
export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(OPERATORS, name);
}
