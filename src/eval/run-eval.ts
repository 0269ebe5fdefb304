import { writeFile } from "node:fs/promises";
import type { Terminal } from "../cli/terminal.ts";
import { parseConfig, type Config } from "../config.ts";
import { openWorkshop } from "../daemon/compose.ts";
import { HoneError, messageOf } from "../domain/errors.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { SearchPart } from "../domain/search-part.ts";
import type { Workshop } from "../ports/house.ts";
import { control } from "./control.ts";
import { offeredProposer } from "./offered.ts";
import { repairSubject, type Repaired } from "./repair-subject.ts";
import { shareBy, totalsOf } from "./report.ts";
import { score, type Scored } from "./score.ts";
import { readSuites, type Subject } from "./suites.ts";

export type EvalOptions = {
  readonly suites: readonly string[];
  readonly proposers?: readonly Config["proposers"][number][];
  /** Parts of the search that are switched off. */
  readonly without?: readonly SearchPart[];
  /** Time for each case, in milliseconds. */
  readonly budgetMs?: number;
  /** Cases at a time. */
  readonly jobs?: number;
  readonly limit?: number;
  /** The whole report goes there, as JSON. */
  readonly out?: string;
  readonly isControl: boolean;
  /** As the machine's and the user's settings and the environment have it. */
  readonly model: Config["model"];
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
};

type At = { readonly shop: Workshop; readonly budgetMs: number; readonly signal: AbortSignal };

/**
 * Repairs every case of the suites from its visible tests, then scores each chosen patch once on the
 * held-out ones; with `isControl`, offers patches for sources that are right. Resolves with the exit
 * code: 0, or 1 where a case ended in an error or a control was released.
 */
export async function runEval(options: EvalOptions): Promise<number> {
  const { signal, jobs = 1, budgetMs = options.isControl ? 2_000 : 10_000 } = options;
  const subjects = await readSuites(options.suites, options.limit);
  const guests = { warm: Math.max(2, jobs), most: 2 + 2 * jobs };
  const { model, proposers = parseConfig({ model }, "eval").proposers } = options;
  const isAsked = options.proposers?.includes("model") === true;
  // Whoever asks for a model and names none wants the one that runs here.
  const use = isAsked && model.use === "off" ? "auto" : model.use;
  const config = parseConfig({ guests, model: { ...model, use } }, "eval");
  await using shop = await openWorkshop(config, proposers, options.without);
  const startedAt = performance.now();
  const at = { shop, budgetMs, signal };
  const report = options.isControl
    ? controlReport(await each(subjects, options, (subject) => controlled(subject, at)))
    : evalReport(
        await each(subjects, options, (subject) => evaluated(subject, at)),
        performance.now() - startedAt,
      );
  if (options.out !== undefined)
    await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`);
  options.terminal.answer(report, {
    columns: {
      rows: ["id", "result", "proposer", "operator", "candidates", "ms"],
    },
  });
  return report["errors"] === 0 && (report["releases"] ?? 0) === 0 ? 0 : 1;
}

async function evaluated(subject: Subject, at: At): Promise<Scored> {
  const { heldOut: _, fixed: __, buggy, ...known } = subject;
  const repaired = await repairSubject(known, buggy, at).catch(asError(at.signal));
  return await score(subject, repaired, { ...at.shop, unrecorded: "closed" }, at.signal);
}

/** What broke in the world is a result of the case, so that the others still count. */
function asError(signal: AbortSignal): (error: unknown) => Repaired {
  return (error) => {
    signal.throwIfAborted();
    if (!(error instanceof HoneError)) throw error;
    const nothing = { patched: null, attempt: null, candidates: 0, ms: 0 };
    return { ...nothing, status: "error", reason: messageOf(error) };
  };
}

async function controlled(subject: Subject, at: At): Promise<JsonObject> {
  const shop = { ...at.shop, proposers: [offeredProposer, ...at.shop.proposers] };
  return await control(subject, { ...at, shop });
}

/** Several at a time, in order; each is told as it ends. */
async function each<T extends JsonObject | Scored>(
  subjects: readonly Subject[],
  { jobs = 1, terminal }: Pick<EvalOptions, "jobs" | "terminal">,
  work: (subject: Subject) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < subjects.length; at = next++) {
      const subject = subjects[at];
      if (subject === undefined) return;
      const result = await work(subject);
      results[at] = result;
      terminal.progress(`${at + 1}/${subjects.length} ${subject.id}: ${saidOf(result)}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results;
}

function saidOf(row: JsonObject | Scored): string {
  const { result, releases } = row as { readonly result?: Json; readonly releases?: Json };
  return typeof result === "string" ? result : `${Number(releases)} releases`;
}

function evalReport(rows: readonly Scored[], wallMs: number): JsonObject {
  return {
    ...totalsOf(rows, wallMs),
    by_difficulty: shareBy(rows, "difficulty"),
    by_kind: shareBy(rows, "kind"),
    rows,
  };
}

function controlReport(rows: readonly JsonObject[]): JsonObject {
  const total = (key: string): number => rows.reduce((sum, row) => sum + Number(row[key]), 0);
  return {
    cases: rows.length,
    offered: total("offered"),
    releases: total("releases"),
    errors: rows.filter((row) => row["error"] !== null).length,
    rows,
  };
}
