import { HoneError } from "../../domain/errors.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import { pinOf, setPin } from "../../pins.ts";
import type { Workspace } from "../workspace.ts";

/** The operations that hold a skill at one of its versions, and let it go again. */
export function pinningOf({ house }: Pick<Workspace, "house">): Pick<Operations, "pin" | "unpin"> {
  const { store, tell, now } = house;
  return {
    async pin({ skill, version: wanted, by }) {
      const version = await versionOf(skill, wanted, house);
      setPin(skill, { version, by, at: now() }, store);
      tell("skill.pinned", skill, { version, by });
      const active = await house.library.active(skill).catch(() => null);
      return {
        schemaVersion: 1,
        skill,
        result: "pinned",
        version,
        active: active?.version ?? null,
      };
    },
    async unpin({ skill, by }) {
      const pin = pinOf(skill, store);
      if (pin === null) throw new HoneError("refused", `${skill} is not pinned`);
      setPin(skill, null, store);
      tell("skill.unpinned", skill, { version: pin.version, by });
      const { version } = await house.library.active(skill);
      return { schemaVersion: 1, skill, result: "unpinned", version };
    },
  };
}

/** The commit that made a skill what it is at a commit, by all or the start of its id. */
async function versionOf(
  skill: string,
  commit: string,
  { library, repository }: House,
): Promise<string> {
  if (!(await library.names()).includes(skill)) await library.active(skill);
  if (!/^[0-9a-f]{4,64}$/.test(commit)) {
    throw new HoneError("bad-input", `${commit} is no commit's id`, {
      hint: `\`hone log ${skill}\` lists the versions.`,
    });
  }
  const found = await repository.info(commit);
  if (!(await repository.isAncestor(found.commit, await repository.head()))) {
    throw new HoneError("refused", `commit ${commit} is not in the history of hone`);
  }
  const version = await repository.lastChange(found.commit, `skills/${skill}`);
  if ((await library.at(skill, version)) !== null) return version;
  throw new HoneError("not-found", `${skill} cannot be read as it was at ${commit}`, {
    hint: `\`hone log ${skill}\` lists the versions.`,
  });
}
