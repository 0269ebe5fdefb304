import { HoneError } from "../../domain/errors.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Library } from "../../ports/library.ts";
import type { Prompts } from "./talk.ts";

/** The prompt skill of a workspace whose words take the place of those that hone brings. */
export const REPAIR_WORDS = "hone-repair";

/** Where the task stands: the last thing in the prompt. */
const TASK = /\{\{task\}\}\s*$/;

/**
 * The prompts of repairs, with the workspace's own words where its skill `hone-repair` is one that no
 * proposer can change without a person: sound, of kind `prompt`, with `review: always`, and with the
 * task as its one variable and its end. What an answer may do is for the gates, whatever it was asked.
 */
export async function repairPrompts(
  shipped: Prompts,
  { names, active }: Pick<Library, "names" | "active">,
  sha256: (text: string) => string,
): Promise<Prompts> {
  if (!(await names()).includes(REPAIR_WORDS)) return shipped;
  const words = wordsOf(await active(REPAIR_WORDS).catch(unlessUnsound));
  if (words === null) return shipped;
  return { ...shipped, system: words, digest: sha256(`${shipped.digest}\0${words}`) };
}

function unlessUnsound(thrown: unknown): null {
  if (thrown instanceof HoneError && thrown.code === "bad-skill") return null;
  throw thrown;
}

function wordsOf(skill: Skill | null): string | null {
  if (skill?.language !== "prompt" || skill.manifest.review !== "always") return null;
  const names = skill.signature.parameters.map(({ name }) => name);
  const [before = "", ...after] = skill.source.split(TASK);
  return names.join() === "task" && after.length > 0 ? before.trimEnd() : null;
}
