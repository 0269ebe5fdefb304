import { readFile } from "node:fs/promises";
import path from "node:path";
import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { dependantsOf, retirementReason } from "../../domain/retirement.ts";
import type { Skill } from "../../domain/skill.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import { inProbation, letGo, standingOf } from "../../tenure.ts";
import { follow } from "../follow.ts";
import type { Workspace } from "../workspace.ts";

/** The operation in which a person lets a skill go. */
export function endingsOf(workspace: Workspace): Pick<Operations, "retire"> {
  const { house } = workspace;
  return {
    async retire({ skill: name, by, reason: given }) {
      await follow(workspace);
      const skill = await house.library.active(name);
      const needed = await dependantsIn(name, workspace);
      if (needed.length > 0) {
        throw new HoneError("refused", `${name} is needed: ${needed.join("; ")}`, {
          hint: "Change those first; nothing that others call is retired under them.",
        });
      }
      const reason = given ?? (await reasonFor(skill, house));
      if (reason === null) {
        throw new HoneError("refused", `nothing speaks for retiring ${name}`, {
          hint: "`--reason TEXT` says why it should go all the same.",
        });
      }
      const made = await workspace.oneImprovement(() => letGo({ skill: name, reason, by }, house));
      await follow(workspace);
      return {
        schemaVersion: 1,
        skill: name,
        result: "retired",
        commit: made.commit,
        reason,
        note: `\`hone rollback ${name}\` brings it back`,
      };
    },
  };
}

/** Skills that might be retired, each with why, for a person to decide. */
export async function retirementsIn(house: House): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = [];
  for (const one of await house.library.loadAll(await house.repository.head())) {
    if (one.status === "unsound") continue;
    const reason = await reasonFor(one.skill, house);
    if (reason !== null) rows.push({ skill: one.name, reason });
  }
  return rows;
}

/** Skills that stand in probation, each with how it does. */
export async function probationsIn(house: House): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = [];
  for (const name of await house.library.names()) {
    const birth = inProbation(name, house);
    if (birth === null) continue;
    const skill = await house.library.active(name);
    const { reason } = standingOf(birth, skill, house);
    rows.push({ skill: name, bornAt: birth.bornAt, reason });
  }
  return rows;
}

const DAY_MS = 86_400_000;

async function reasonFor(skill: Skill, house: House): Promise<string | null> {
  const { name, version, manifest } = skill;
  const { store, now, repository, settings } = house;
  const stats = store.versionStats(name);
  const ranAt = Math.max(0, ...stats.map((one) => one.lastAt));
  // One that ran lately is in use whenever it was changed: git is asked about the others alone.
  const isInUse = now() - ranAt < settings.retire.afterDays * DAY_MS;
  const lastAt = isInUse ? ranAt : Math.max(ranAt, (await repository.info(version)).at);
  const scored = stats.reduce((sum, one) => sum + one.scored, 0);
  const { threshold } = manifest.reward;
  const everGood = stats.some(({ bestReward }) => bestReward !== null && bestReward >= threshold);
  const [birth = null] = store.births({ skill: name });
  const service = { lastAt, scored, everGood, birth, now: now() };
  return retirementReason(service, settings.retire);
}

/** Who needs a skill: other skills that may call it, and schedules with work for it. */
export async function dependantsIn(
  name: string,
  { house, config, dir }: Workspace,
): Promise<readonly string[]> {
  const loaded = await house.library.loadAll(await house.repository.head());
  const callers = loaded.flatMap((one) =>
    one.status === "sound"
      ? [{ name: one.name, calls: one.skill.manifest.capabilities.skills ?? [] }]
      : [],
  );
  const schedules = await Promise.all(
    config.schedules.map(async ({ name: schedule, improve, submit }) => ({
      name: schedule,
      skills: [improve ?? "", ...(submit === undefined ? [] : await skillsIn(dir, submit))],
    })),
  );
  return dependantsOf(name, callers, schedules);
}

/** The skills that a file of tasks is for; none where it cannot be read. */
async function skillsIn(dir: string, file: string): Promise<readonly string[]> {
  const text = await readFile(path.resolve(dir, file), "utf8").catch(() => "");
  return [...text.matchAll(/"skill"\s*:\s*"([^"]*)"/g)].map(([, skill = ""]) => skill);
}
