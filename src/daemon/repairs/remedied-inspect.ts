import type { Editor } from "../../ports/editor.ts";

/**
 * The editor's `inspect`, where the problems of a source that cannot be read end with what is most
 * likely meant: `line 11: likely a "," is missing`. It is said, and never done.
 */
export function remediedInspect(
  editor: Pick<Editor, "inspect" | "syntaxRepairs">,
): Editor["inspect"] {
  return async (source, signal) => {
    const inspection = await editor.inspect(source, signal);
    if (inspection.status === "sound") return inspection;
    const [likeliest] = await editor.syntaxRepairs(source, 1, signal);
    if (likeliest === undefined) return inspection;
    const { line, says } = likeliest;
    return {
      ...inspection,
      problems: [...inspection.problems, { line, message: `likely ${says}` }],
    };
  };
}
