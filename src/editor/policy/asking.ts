import type { Finding, PolicyFinding } from "../../ports/editor.ts";

/** The same finding, left to a person. */
export function asking({ line, message }: Finding): PolicyFinding {
  return { line, message: `${message}: a person decides`, severity: "ask" };
}
