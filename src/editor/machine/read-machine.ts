import { ts } from "ts-morph";
import type { Machine, MachineState, MachineTarget } from "../../domain/machine.ts";
import { lineOf } from "../syntax.ts";
import { member, membersOf, objectOf, textOf } from "./objects.ts";
import {
  readingOf,
  requireData,
  requireKnown,
  type MachinePlaces,
  type Reading,
} from "./reading.ts";
import { invokesOf, noteSkills, transitionsOf } from "./transitions.ts";

/** A machine with the places of its parts. */
export type ReadMachine = { readonly machine: Machine; readonly places: MachinePlaces };

/** Keys of a state in XState 5, and those of the machine itself. */
const STATE_KEYS = [
  "id",
  "type",
  "initial",
  "states",
  "on",
  "always",
  "after",
  "invoke",
  "entry",
  "exit",
  "onDone",
  "output",
  "history",
  "target",
  "tags",
  "meta",
  "description",
];
const ROOT_KEYS = [...STATE_KEYS, "context", "version"];

/** Reads the configuration without running it; whatever is no plain data is a finding. */
export function readMachine(file: ts.SourceFile, object: ts.ObjectLiteralExpression): ReadMachine {
  const reading = readingOf(file);
  requireData(object, reading);
  const id = textOf(member(object, "id")) ?? "(machine)";
  const root = stateOf(object, [], id, reading);
  const { calls, findings, places } = reading;
  return { machine: { root, calls, findings }, places };
}

function stateOf(
  object: ts.ObjectLiteralExpression,
  path: readonly string[],
  defaultId: string,
  reading: Reading,
): MachineState {
  requireKnown(object, path.length === 0 ? ROOT_KEYS : STATE_KEYS, reading);
  reading.places.states.push({ node: object, path });
  const id = textOf(member(object, "id")) ?? defaultId;
  const below = objectOf(member(object, "states"));
  const children = membersOf(below).flatMap(([name, value]) => {
    const child = objectOf(value);
    if (child === null) return [];
    return [stateOf(child, [...path, name], `${defaultId}.${name}`, reading)];
  });
  const invokes = invokesOf(object, path, reading);
  for (const key of ["entry", "exit"]) noteSkills(member(object, key), "action", path, reading);
  const transitions = [
    ...membersOf(objectOf(member(object, "on"))).flatMap(([event, value]) =>
      transitionsOf(event, value, path, reading),
    ),
    ...transitionsOf("always", member(object, "always"), path, reading),
    ...membersOf(objectOf(member(object, "after"))).flatMap(([delay, value]) =>
      transitionsOf(`after ${delay}`, value, path, reading),
    ),
    ...transitionsOf("onDone", member(object, "onDone"), path, reading),
    ...invokes.flatMap(({ transitions: some }) => some),
  ];
  return {
    path,
    line: lineOf(reading.file, object.getStart(reading.file)),
    id,
    type: typeOf(object, children.length > 0),
    initial: initialOf(object, path, reading),
    transitions,
    invokes: invokes.map(({ invoke }) => invoke),
    children,
  };
}

function typeOf(object: ts.ObjectLiteralExpression, hasStates: boolean): MachineState["type"] {
  const written = textOf(member(object, "type"));
  if (written === "parallel" || written === "final" || written === "history") return written;
  return hasStates ? "compound" : "atomic";
}

function initialOf(
  object: ts.ObjectLiteralExpression,
  path: readonly string[],
  reading: Reading,
): MachineTarget | null {
  const written = member(object, "initial");
  const holder = objectOf(written);
  if (holder !== null) noteSkills(member(holder, "actions"), "action", path, reading);
  const node = holder === null ? written : member(holder, "target");
  if (node === undefined || !ts.isStringLiteralLike(node)) return null;
  reading.places.targets.push({ node, from: path, isInitial: true });
  return { to: node.text, line: lineOf(reading.file, node.getStart(reading.file)) };
}
