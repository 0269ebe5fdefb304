import { lineOf } from "../../domain/case.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { describe } from "../../domain/judge.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Trace } from "../../domain/trace.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { differencesOf } from "./differences.ts";
import { exchangeLines } from "./exchanges.ts";
import type { Ancestor, Lesson } from "../../domain/lesson.ts";
import { fenced } from "./render.ts";

/** The parts of a prompt, by the slots of `prompts/repair.md`. */
export type Evidence = Readonly<
  Record<
    | "contract"
    | "source"
    | "cases"
    | "failure"
    | "difference"
    | "trace"
    | "places"
    | "lessons"
    | "parent",
    string
  >
>;

/** Cases shown beside the failing one, at most. */
const MOST_CASES = 20;

/** Suspicious places, and earlier tries, at most. */
const MOST_PLACES = 6;
const MOST_LESSONS = 6;

/**
 * What a model is shown of an incident: only what a proposer may know. What all incidents of a skill
 * share stands first, so that servers can keep it.
 */
export function evidenceOf(
  { skill, diagnosis }: ProposalRequest,
  lessons: readonly Lesson[],
  parent: Ancestor | null = null,
): Evidence {
  const { failing, judged } = diagnosis;
  return {
    contract: contractOf(skill),
    source: fenced(skill.source, skill.language),
    cases: casesOf(judged),
    failure: failureOf(failing),
    difference: differenceOf(failing),
    trace: traceOf(failing.trace),
    places: placesOf(skill, diagnosis.suspicions),
    lessons: lessonsOf(lessons),
    parent: parent === null ? "" : parentOf(parent, skill),
  };
}

function contractOf({ name, description, signature, manifest }: Skill): string {
  // What the host adds to requests on their way out is no concern of a patch.
  const { secrets: _, ...capabilities } = manifest.capabilities;
  const reach = Object.keys(capabilities).length === 0 ? "none" : JSON.stringify(capabilities);
  const parameters = signature.parameters.map(
    (one) =>
      `  ${one.name}${one.optional ? " (may be absent)" : ""}: ${JSON.stringify(one.schema)}`,
  );
  const told = [
    `${name}: ${description}`,
    `exports one function, ${signature.name}; its parameters as JSON Schema:`,
    ...(parameters.length === 0 ? ["  none"] : parameters),
    `capabilities: ${reach}`,
  ];
  return fenced(told.join("\n"));
}

function casesOf(judged: readonly JudgedCase[]): string {
  const shown = judged.toSorted((a, b) => Number(a.passed) - Number(b.passed)).slice(0, MOST_CASES);
  const lines = shown.map(
    ({ case: of, passed }) => `${passed ? "passes" : "FAILS "} ${clip(lineOf(of), 600)}`,
  );
  return fenced(lines.join("\n"));
}

function failureOf({ case: of, reason, outcome }: JudgedCase): string {
  const frames = "error" in outcome ? outcome.error.frames.slice(0, 5) : [];
  const stack = frames.map((one) => `  at ${one.function} (line ${one.line}:${one.column})`);
  const told = [
    lineOf({ ...of, world: {} }),
    clip(reason, 2_000),
    clip(describe(outcome), 2_000),
    ...stack,
  ];
  return `This case fails:\n${fenced(told.join("\n"))}`;
}

function differenceOf({ case: { expectation }, outcome }: JudgedCase): string {
  if (expectation.kind !== "value" || outcome.status !== "returned") return "";
  const lines = differencesOf(expectation.value, outcome.value);
  return lines.length === 0 ? "" : `Where it differs:\n${fenced(lines.join("\n"))}`;
}

/** What the skill asked of the world and was told, and what it logged. */
function traceOf(trace: Trace): string {
  const logs = trace.logs.slice(-5).map(({ level, text }) => `log ${level}: ${clip(text, 300)}`);
  const lines = [...exchangeLines(trace), ...logs];
  return lines.length === 0 ? "" : `What it asked of the world:\n${fenced(lines.join("\n"))}`;
}

function placesOf(
  { source }: Skill,
  suspicions: ProposalRequest["diagnosis"]["suspicions"],
): string {
  const lines = source.split("\n");
  const numbers = suspicions.filter(({ score }) => score > 0).map(({ line }) => line);
  const told = [...new Set(numbers)]
    .slice(0, MOST_PLACES)
    .map((line) => `${line}: ${(lines[line - 1] ?? "").trim()}`);
  return told.length === 0
    ? ""
    : `Lines that failing cases run more than others do, the most suspicious first:\n${fenced(told.join("\n"))}`;
}

/** Earlier tries, winners beside losers. */
function lessonsOf(lessons: readonly Lesson[]): string {
  if (lessons.length === 0) return "";
  const told = lessons.slice(0, MOST_LESSONS).map(({ reason, code, became, reward }) => {
    const share = `${Math.round(reward * 100)} % of the cases passed`;
    const head = `${oneLine(reason)}\n${share}; ${clip(oneLine(became), 300)}`;
    return fenced(`${head}\n\n${clip(code, 800)}`);
  });
  return `Tried before, for the same failure:\n${told.join("\n")}`;
}

/** An earlier patch as a whole, since edits of it would have to be made by hand. */
function parentOf({ source, reward, became }: Ancestor, { language }: Skill): string {
  const share = `passes ${Math.round(reward * 100)} % of the cases`;
  const fate = fenced(clip(oneLine(became), 300));
  return `An earlier patch ${share}. Go on from it, or take another way; edits are made in the source further up, not in this one.\n${fenced(source, language)}\n${fate}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}
