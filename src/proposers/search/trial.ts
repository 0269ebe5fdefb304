import type { JudgedCase } from "../../domain/incident.ts";
import type { Limits, Program, Skill } from "../../domain/skill.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";

/** Least time a program on trial gets, in milliseconds: a cold isolate on a busy machine. */
const LEAST_MS = 100;

/** How much slower than the slowest passing case a program on trial may be. */
const PATIENCE = 10;

/** Cases at a time, once a program has passed the two that fail most programs. */
const AT_ONCE = 8;

/** Puts programs to the visible cases, the failing one first, and stops at the first miss. */
export class Trial {
  /** With limits for those of whom nothing is known, and with its own for those that passed a sift. */
  readonly #inBrief: Skill;
  readonly #skill: Skill;
  readonly #failing: JudgedCase;
  readonly #others: { readonly judged: JudgedCase; kills: number }[];
  readonly #ports: ExaminePorts;

  constructor({ skill, diagnosis }: ProposalRequest, ports: Omit<ExaminePorts, "unrecorded">) {
    const limits = limitsOf(skill.manifest.limits, diagnosis.judged);
    this.#inBrief = { ...skill, manifest: { ...skill.manifest, limits } };
    this.#skill = skill;
    this.#failing = diagnosis.failing;
    this.#others = diagnosis.judged
      .filter((judged) => judged.case.name !== diagnosis.failing.case.name)
      .toSorted((a, b) => Number(a.passed) - Number(b.passed))
      .map((judged) => ({ judged, kills: 0 }));
    this.#ports = { ...ports, unrecorded: "closed" };
  }

  /** Whether a program passes every visible case. */
  async passes(program: Program, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#passesAll(program, [this.#failing], signal))) return false;
    const order = this.#others.toSorted((a, b) => b.kills - a.kills);
    for (let at = 0; at < order.length; at += at === 0 ? 1 : AT_ONCE) {
      const some = order.slice(at, at === 0 ? 1 : at + AT_ONCE);
      const judged = some.map((other) => other.judged);
      if (await this.#passesAll(program, judged, signal)) continue;
      for (const other of some) other.kills += 1 / some.length;
      return false;
    }
    return true;
  }

  /**
   * Whether a program that has passed all of them in a sift does so as a program of its own: in one
   * context first, which is cheap, and where it does not, as state may be kept in it, case by case.
   */
  async confirms(program: Program, signal: AbortSignal): Promise<boolean> {
    const judged = [this.#failing, ...this.#others.map((other) => other.judged)];
    const skill = this.#skill;
    const passesTogether = await this.#passesAll(program, judged, signal, { skill, fresh: false });
    return passesTogether || (await this.passes(program, signal));
  }

  // oxlint-disable-next-line max-params
  async #passesAll(
    program: Program,
    judged: readonly JudgedCase[],
    signal: AbortSignal,
    how: { readonly skill: Skill; readonly fresh: boolean } = { skill: this.#inBrief, fresh: true },
  ): Promise<boolean> {
    const cases = judged.map((one) => one.case);
    const asked = { ...how, cases, program, unconfirmed: true };
    const examination = await examine(asked, this.#ports, signal);
    return examination.judged.every(({ passed }) => passed);
  }
}

/** A program on trial is given up as soon as it is far slower than the faulty one ever was. */
export function limitsOf(
  limits: Limits,
  judged: readonly JudgedCase[],
  leastMs: number = LEAST_MS,
): Limits {
  const slowestMs = Math.max(
    0,
    ...judged.filter(({ passed }) => passed).map(({ trace }) => trace.usage.wallMs),
  );
  const timeoutMs = Math.min(limits.timeoutMs, Math.max(leastMs, PATIENCE * slowestMs));
  return { ...limits, timeoutMs: Math.ceil(timeoutMs) };
}
