import type { Program, Skill } from "../../domain/skill.ts";
import { isEndless } from "../../domain/trace.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { behavioursOf, ENDLESS, pathsOf, type AskPorts, type Behaviour } from "./behaviour.ts";
import { siftedAnswers } from "./sifted-answers.ts";
import { clustered, type Cluster } from "./clusters.ts";
import { generatedQuestions, type Question } from "./inputs.ts";
import { promiseOf, ranked } from "./rank.ts";
import { regionsOf } from "./regions.ts";
import { traitsOf, type Region, type Traits } from "./traits.ts";

/** Plausible edits that are asked questions, at most: the most promising. */
const MOST_ASKED = 48;

/** Questions at most, and how many go to all programs before the next go. */
const QUESTIONS = 64;
const AT_ONCE = 16;

/** Time for questions to all programs together, in milliseconds: most often a tenth is enough. */
const SIFTING_MS = 1_000;

/** Longest time of one answer, in milliseconds. */
const ANSWER_MS = 150;

export type AgreePorts = AskPorts & {
  readonly editor: Pick<Editor, "instrument" | "variants">;
  readonly parallel: number;
  /** Whether the time for questions is over. */
  readonly isOver: () => boolean;
};

/** Plausible edits by what they do, with what speaks for and against each kind. */
export type Agreement = {
  readonly questions: readonly Question[];
  /** What the faulty program does, by question. */
  readonly original: readonly Behaviour[];
  readonly clusters: readonly Cluster<Mutation>[];
  /** By the position of the cluster. */
  readonly traits: readonly Traits[];
  /** What all of them promise together. */
  readonly promise: number;
};

/**
 * Asks plausible edits and the faulty program questions to which nobody knows the answers, and puts
 * those that do the same on all of them together. Differential agreement between plausible patches,
 * after DiffTGen (Xin and Reiss, ISSTA 2017) and CodeT (Chen et al., arXiv 2207.10397): what tells
 * them apart is found by running them, not by reading them.
 */
export async function agreementOf(
  plausible: readonly Mutation[],
  { skill: known, diagnosis, seed }: ProposalRequest,
  ports: AgreePorts,
  signal: AbortSignal,
): Promise<Agreement> {
  const skill = inBrief(known);
  const { judged } = diagnosis;
  const cases = judged.map((one) => one.case);
  const members = ranked(plausible).slice(0, MOST_ASKED);
  const wanted = generatedQuestions({ cases, source: skill.source, seed }, QUESTIONS);
  const table = await answersOf(members, { skill, questions: wanted }, ports, signal);
  const questions = wanted.slice(0, table.original.length);
  const isEnding = table.original.map(({ key }) => key !== ENDLESS);
  const regions = await regionsIn({ skill, questions, isEnding, judged }, ports, signal);
  const asked = members.map((member, at) => ({ member, behaviours: table.others[at] ?? [] }));
  const clusters =
    questions.length > 0
      ? clustered(asked)
      : asked.map(({ member, behaviours }) => ({ members: [member], behaviours }));
  const given = questions.map(({ args }) => args);
  const scene = { source: skill.source, judged, asked: given, original: table.original, regions };
  const promise = members.reduce((sum, member) => sum + promiseOf(member), 0);
  return {
    questions,
    original: table.original,
    clusters,
    traits: traitsOf(clusters, scene),
    promise,
  };
}

/** A question may take far less than a run: an endless loop is a behaviour like others. */
function inBrief(skill: Skill): Skill {
  const { limits } = skill.manifest;
  const timeoutMs = Math.min(limits.timeoutMs, ANSWER_MS);
  return { ...skill, manifest: { ...skill.manifest, limits: { ...limits, timeoutMs } } };
}

type Table = {
  readonly original: readonly Behaviour[];
  readonly others: readonly (readonly Behaviour[])[];
};

/**
 * What every program does on the questions that all of them could be asked in time: together as far
 * as they can be sifted, and the others each for itself.
 */
async function answersOf(
  members: readonly Mutation[],
  { skill, questions }: { readonly skill: Skill; readonly questions: readonly Question[] },
  ports: AgreePorts,
  signal: AbortSignal,
): Promise<Table> {
  const programs = [skill.program, ...members.map(({ program }) => program)];
  if (ports.isOver()) return tableOf(programs.map(() => []));
  const sifting = { skill, questions, budgetMs: SIFTING_MS };
  const sifted = (await siftedAnswers(members, sifting, ports, signal)) ?? [];
  const asked = sifted.length === 0 ? questions.length : enoughIn(sifted);
  const rows = programs.map((_, at) => (sifted[at] ?? [null]).slice(0, asked));
  const open = rows.flatMap((row, at) => (row.includes(null) ? [at] : []));
  const alone = open.map((at) => programs[at] as Program);
  const some = { skill, questions: questions.slice(0, asked) };
  const answers = await answersAlone(alone, some, ports, signal);
  for (const [at, row] of open.entries()) rows[row] = [...(answers[at] ?? [])];
  const least = Math.min(...rows.map((row) => row.length));
  return tableOf(rows.map((row) => row.slice(0, least).filter((answer) => answer !== null)));
}

/**
 * Questions up to the last that all programs in the sift have answered, where these are enough; else
 * to the last that any has, so that the others are asked too.
 */
function enoughIn(rows: readonly (readonly (Behaviour | null)[])[]): number {
  const sifted = rows.filter((row) => row.some((answer) => answer !== null));
  const answered = sifted.map((row) => row.findLastIndex((answer) => answer !== null) + 1);
  const byAll = Math.min(...answered);
  return byAll >= AT_ONCE ? byAll : Math.max(0, ...answered);
}

async function answersAlone(
  programs: readonly Program[],
  { skill, questions }: { readonly skill: Skill; readonly questions: readonly Question[] },
  ports: AgreePorts,
  signal: AbortSignal,
): Promise<readonly (readonly Behaviour[])[]> {
  const rows: Behaviour[][] = programs.map(() => []);
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE);
    const answers: (readonly Behaviour[])[] = [];
    for (let next = 0; next < programs.length; next += ports.parallel) {
      if (ports.isOver()) return rows;
      const group = programs.slice(next, next + ports.parallel);
      answers.push(
        ...(await Promise.all(
          group.map((one) => behavioursOf(one, { skill, questions: some }, ports, signal)),
        )),
      );
    }
    for (const [program, said] of answers.entries()) rows[program]?.push(...said);
  }
  return rows;
}

function tableOf([original = [], ...others]: readonly (readonly Behaviour[])[]): Table {
  return { original, others };
}

/**
 * Where each question lies. Paths are asked for what ends: one that does not lies where the failing
 * case does, if that does not end either.
 */
async function regionsIn(
  {
    skill,
    questions,
    isEnding,
    judged,
  }: {
    readonly skill: Skill;
    readonly questions: readonly Question[];
    /** By question: whether the faulty program ends. */
    readonly isEnding: readonly boolean[];
    readonly judged: ProposalRequest["diagnosis"]["judged"];
  },
  ports: AgreePorts,
  signal: AbortSignal,
): Promise<readonly Region[]> {
  if (questions.length === 0) return [];
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { program } = await ports.editor.instrument(source, signal);
  const known = judged.filter(({ outcome }) => !isEndless(outcome));
  const cases = known.map((one) => ({ ...one.case, like: one.case.name }));
  const asked = questions.filter((_, at) => isEnding[at]);
  const all = { skill, questions: [...cases, ...asked] };
  const paths = await pathsOf(program, all, ports, signal);
  const regions = regionsOf(
    paths.slice(known.length),
    known.map(({ passed }, at) => ({ path: paths[at] ?? [], passed })),
  ).values();
  const ofEndless = known.length < judged.length ? "failing" : "between";
  return isEnding.map((ends) => (ends ? (regions.next().value ?? "between") : ofEndless));
}
