import type { Evidence } from "./evidence.ts";

/** What is made shorter first where a prompt does not fit; the source and the failure never are. */
const DISPENSABLE = ["parent", "lessons", "trace", "cases", "places", "difference"] as const;

/**
 * The evidence in so many characters: the least important parts are halved, and then left out, until
 * it fits. Null where not even the source and the failing case do.
 */
export function fitted(evidence: Evidence, most: number): Evidence | null {
  let now = evidence;
  for (const slot of DISPENSABLE) {
    for (const share of [0.5, 0]) {
      if (sizeOf(now) <= most) return now;
      now = { ...now, [slot]: shortened(evidence[slot], share) };
    }
  }
  return sizeOf(now) <= most ? now : null;
}

function sizeOf(evidence: Evidence): number {
  return Object.values(evidence).reduce((sum, text) => sum + text.length, 0);
}

/** The first lines of a part, with its fences closed. */
function shortened(text: string, share: number): string {
  if (share === 0) return "";
  const kept = text.slice(0, Math.floor(text.length * share)).replace(/\n[^\n]*$/, "");
  const fences = [...kept.matchAll(/^(`{3,})\w*$/gm)].map(([, fence = ""]) => fence);
  const open = fences.length % 2 === 1 ? `\n${fences.at(-1) ?? ""}` : "";
  return `${kept}\n(cut)${open}`;
}
