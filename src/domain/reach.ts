import type { Capabilities, CapabilityName, Skill } from "./skill.ts";

/** Whether a skill is code of its own that reaches nothing but what is named. */
export function reachesOnly(
  { manifest, language }: Pick<Skill, "manifest" | "language">,
  allowed: readonly CapabilityName[],
): boolean {
  const isCode = language === "ts" || language === "js" || language === "machine";
  return isCode && Object.entries(manifest.capabilities).every(isNothingOrIn(allowed));
}

function isNothingOrIn(allowed: readonly string[]) {
  return ([name, grant]: [string, Capabilities[keyof Capabilities]]): boolean =>
    grant === undefined ||
    grant === false ||
    (Array.isArray(grant) && grant.length === 0) ||
    allowed.includes(name);
}
