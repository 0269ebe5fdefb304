import { ts } from "ts-morph";
import type {
  MachineCall,
  MachineInvoke,
  MachineTarget,
  MachineTransition,
} from "../../domain/machine.ts";
import { lineOf } from "../syntax.ts";
import { bare, listOf, member, objectOf } from "./objects.ts";
import { complain, requireKnown, type Reading } from "./reading.ts";

/** What a state invokes, and the transitions that follow of it. */
export function invokesOf(
  object: ts.ObjectLiteralExpression,
  path: readonly string[],
  reading: Reading,
): readonly {
  readonly invoke: MachineInvoke;
  readonly transitions: readonly MachineTransition[];
}[] {
  const written = member(object, "invoke");
  return (written === undefined ? [] : listOf(written)).flatMap((node, at) => {
    const invoked = objectOf(node);
    const source = invoked === null ? undefined : member(invoked, "src");
    if (invoked === null || source === undefined || !ts.isStringLiteralLike(source)) {
      complain(node, "must be an object whose `src` names a skill", reading);
      return [];
    }
    requireKnown(invoked, ["src", "id", "input", "onDone", "onError", "systemId"], reading);
    reading.places.invokes.push({ node: invoked, from: path });
    noteSkill(source, "invoke", path, reading);
    const done = member(invoked, "onDone");
    const error = member(invoked, "onError");
    const line = lineOf(reading.file, invoked.getStart(reading.file));
    const kept = { skill: source.text, line };
    return [
      {
        invoke: { ...kept, hasDone: done !== undefined, hasError: error !== undefined },
        transitions: [
          ...transitionsOf(`invoke ${at} onDone`, done, path, reading),
          ...transitionsOf(`invoke ${at} onError`, error, path, reading),
        ],
      },
    ];
  });
}

/** The transitions on one event, in the order in which they are tried. */
export function transitionsOf(
  on: string,
  written: ts.Expression | undefined,
  path: readonly string[],
  reading: Reading,
): readonly MachineTransition[] {
  if (written === undefined) return [];
  const value = bare(written);
  if (ts.isArrayLiteralExpression(value) && value.elements.every((one) => objectOf(one) !== null)) {
    reading.places.choices.push(value);
  }
  return listOf(value).map((each) => {
    const line = lineOf(reading.file, each.getStart(reading.file));
    const object = objectOf(each);
    if (object === null) {
      return { on, line, targets: targetsOf(each, path, reading), isGuarded: false };
    }
    const keys = ["target", "guard", "actions", "reenter", "description", "meta"];
    requireKnown(object, keys, reading);
    reading.places.transitions.push(object);
    const guard = member(object, "guard");
    noteSkills(guard, "guard", path, reading);
    noteSkills(member(object, "actions"), "action", path, reading);
    const target = member(object, "target");
    const targets = target === undefined ? [] : listOf(target);
    return {
      on,
      line,
      targets: targets.flatMap((one) => targetsOf(one, path, reading)),
      isGuarded: guard !== undefined,
    };
  });
}

function targetsOf(
  node: ts.Expression,
  from: readonly string[],
  reading: Reading,
): readonly MachineTarget[] {
  const value = bare(node);
  if (!ts.isStringLiteralLike(value)) {
    complain(node, "must name a state", reading);
    return [];
  }
  reading.places.targets.push({ node: value, from, isInitial: false });
  return [{ to: value.text, line: lineOf(reading.file, value.getStart(reading.file)) }];
}

/** Names of skills, alone, in a list, or as the `type` of an object with `params`. */
export function noteSkills(
  written: ts.Expression | undefined,
  as: MachineCall["as"],
  path: readonly string[],
  reading: Reading,
): void {
  for (const each of written === undefined ? [] : listOf(written)) {
    const object = objectOf(each);
    const named = object === null ? bare(each) : member(object, "type");
    if (named !== undefined && ts.isStringLiteralLike(named)) noteSkill(named, as, path, reading);
    else complain(each, `a${as === "action" ? "n action" : " guard"} must name a skill`, reading);
  }
}

function noteSkill(
  node: ts.StringLiteralLike,
  as: MachineCall["as"],
  path: readonly string[],
  { file, calls, places }: Reading,
): void {
  places.skills.push({ node, as });
  calls.push({
    skill: node.text,
    as,
    state: path.join("."),
    line: lineOf(file, node.getStart(file)),
  });
}
