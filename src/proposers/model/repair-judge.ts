import type { Case } from "../../domain/case.ts";
import { isJsonObject, type Json } from "../../domain/json.ts";
import type { Judgement } from "../../domain/judge.ts";
import type { Language, Skill } from "../../domain/skill.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, SourceText } from "../../ports/editor.ts";
import type { JudgeCase } from "../../ports/judge.ts";
import { readAnswer } from "./answer.ts";
import { REPAIR_WORDS } from "./repair-words.ts";

type Ports = Pick<ExaminePorts, "sandbox" | "hosts"> & {
  readonly editor: Pick<Editor, "apply" | "inspect" | "newTypeErrors" | "policyFindings">;
};

/** A faulty source with the cases that a patch has to pass: what a case of `hone-repair` expects. */
type RepairTask = { readonly source: SourceText; readonly cases: readonly Case[] };

/**
 * The same, but that of the cases of `hone-repair` an answer passes that is a plausible repair. It is a patch that applies, that the static gates let pass, and after which every
 * case of the task passes in a guest; the answer itself is compared with nothing.
 */
export function judgingRepairs<T extends { readonly judgeCase: JudgeCase }>(
  rewards: T,
  ports: Ports,
): T {
  const { judgeCase } = rewards;
  const judge: JudgeCase = async (skill, of, trace, signal) => {
    const { expectation } = of;
    const isRepair = skill.name === REPAIR_WORDS && skill.language === "prompt";
    const task = isRepair && expectation.kind === "value" ? taskIn(expectation.value) : null;
    const { outcome } = trace;
    if (task === null || outcome.status !== "returned") {
      return await judgeCase(skill, of, trace, signal);
    }
    const said = typeof outcome.value === "string" ? outcome.value : JSON.stringify(outcome.value);
    return await plausible(said, { task, skill, judgeCase }, ports, signal);
  };
  return { ...rewards, judgeCase: judge };
}

function taskIn(value: Json): RepairTask | null {
  if (!isJsonObject(value)) return null;
  const { language, entry, source: text, cases } = value;
  const isKnown = language === "ts" || language === "js";
  if (!isKnown || typeof text !== "string" || !Array.isArray(cases)) return null;
  const listed = (cases as readonly Json[]).flatMap((one, at): Case[] => {
    if (!isJsonObject(one) || !Array.isArray(one["args"])) return [];
    const expectation = { kind: "value", value: one["expect"] ?? null } as const;
    return [{ name: `case ${at + 1}`, args: one["args"] as Json[], expectation, world: {} }];
  });
  const source = { text, language, entry: typeof entry === "string" ? entry : null } as const;
  return listed.length === 0 || listed.length < cases.length ? null : { source, cases: listed };
}

async function plausible(
  said: string,
  {
    task: { source, cases },
    skill,
    judgeCase,
  }: { readonly task: RepairTask; readonly skill: Skill; readonly judgeCase: JudgeCase },
  { editor, sandbox, hosts }: Ports,
  signal: AbortSignal,
): Promise<Judgement> {
  const read = readAnswer(said, "", source.entry ?? "");
  if (read.status === "no-patch") return no(`no patch: ${read.problem}`);
  const edited = await editor.apply(source, read.edits, signal);
  if (edited.status === "refused") return no(`no patch: ${edited.reason}`);
  const after: SourceText = { ...source, text: edited.text };
  const inspected = await editor.inspect(after, signal);
  if (inspected.status === "unsound") return no(inspected.problems[0]?.message ?? "no skill");
  const values = cases.flatMap(({ args, expectation }) =>
    expectation.kind === "value" ? [args, expectation.value] : [args],
  );
  const [refused] = [
    ...(await editor.policyFindings(source, after, { values, thrown: [] }, signal)),
    ...(await editor.newTypeErrors(source, after, signal)),
  ];
  if (refused !== undefined) return no(`refused: ${refused.message}`);
  const { status: _, ...contract } = inspected;
  const language: Language = source.language;
  const patched = { ...skill, ...contract, language, source: after.text, cases };
  const ports = { sandbox, hosts, judgeCase, unrecorded: "closed" } as const;
  const { judged } = await examine({ skill: patched, cases, unconfirmed: true }, ports, signal);
  const { length: passed } = judged.filter((one) => one.passed);
  if (passed < cases.length) return no(`${passed} of ${cases.length} cases of the task pass`);
  return { passed: true, reason: "a plausible repair" };
}

function no(reason: string): Judgement {
  return { passed: false, reason };
}
