import { canonical, type Json } from "../../domain/json.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import {
  exchangesOf,
  isEndless,
  type Outcome,
  type Request,
  type Trace,
} from "../../domain/trace.ts";
import { environmentOf } from "../../domain/world.ts";
import { grantsOf, type ExaminePorts } from "../../examine/examine.ts";
import type { Question } from "./inputs.ts";

/** What a program did when it was asked one question. Equal keys are the same behaviour. */
export type Behaviour = {
  readonly key: string;
  /** The kind of the value that came back; `fault` where none did. */
  readonly kind: ValueKind;
  /** What came back; absent where nothing did. */
  readonly value?: Json;
  /** What happened, in a few words. */
  readonly says: string;
};

/** The key of what does not end. */
export const ENDLESS = "endless";

export type ValueKind = "null" | "boolean" | "number" | "string" | "array" | "object" | "fault";

export type AskPorts = Pick<ExaminePorts, "sandbox" | "hosts">;

/**
 * Asks a program some questions, in one isolate one after the other, and tells what it did: the
 * value or the kind of fault, and what it asked of the world on the way.
 */
export async function behavioursOf(
  program: Program,
  { skill, questions }: { readonly skill: Skill; readonly questions: readonly Question[] },
  ports: AskPorts,
  signal: AbortSignal,
): Promise<readonly Behaviour[]> {
  const results = await asked(program, { skill, questions, witness: false }, ports, signal);
  return results.map(({ trace }) => behaviourIn(trace));
}

/** The numbers of the sites that an instrumented program passes, for each question. */
export async function pathsOf(
  program: Program,
  { skill, questions }: { readonly skill: Skill; readonly questions: readonly Question[] },
  ports: AskPorts,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const results = await asked(program, { skill, questions, witness: true }, ports, signal);
  return results.map(({ hits }) => hits);
}

type Asking = {
  readonly skill: Skill;
  readonly questions: readonly Question[];
  readonly witness: boolean;
};

async function asked(
  program: Program,
  { skill, questions, witness }: Asking,
  { sandbox, hosts }: AskPorts,
  signal: AbortSignal,
): ReturnType<ExaminePorts["sandbox"]["execute"]> {
  const { capabilities, limits } = skill.manifest;
  const grants = grantsOf(capabilities);
  const calls = questions.map(({ args, world }) => ({
    args,
    grants,
    environment: environmentOf(world),
    host: hosts.table(world, capabilities, "closed"),
  }));
  return await sandbox.execute(
    { program, calls, limits, fresh: false, witness, unconfirmed: true },
    signal,
  );
}

function behaviourIn(trace: Trace): Behaviour {
  const requests = exchangesOf(trace).map(({ request }) => request);
  return behaviourOf(trace.outcome, requests);
}

/** What an outcome comes to, with what was asked of the world on the way. */
export function behaviourOf(outcome: Outcome, requests: readonly Request[]): Behaviour {
  // How far an endless program comes is a matter of chance.
  if (isEndless(outcome)) return { key: ENDLESS, kind: "fault", says: "no end" };
  const asked = requests.map(({ kind, args }) => [kind, args] as const);
  const effects = asked.length === 0 ? "" : ` after ${canonical(asked)}`;
  if (outcome.status === "returned") {
    const text = canonical(outcome.value);
    const { value } = outcome;
    return { key: `${text}${effects}`, kind: kindOf(value), value, says: clip(text) };
  }
  const name = "error" in outcome ? `${outcome.status} ${outcome.error.name}` : outcome.status;
  return { key: `${name}${effects}`, kind: "fault", says: name };
}

/** The kind of a value. */
export function kindOf(value: Json): ValueKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "boolean" || kind === "number" || kind === "string" ? kind : "object";
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
