import type { Config } from "./config.ts";
import { allSettings } from "./settings.ts";
import type { Setting } from "./settings.ts";

/** The text of a new hone.yaml: `publish` set, every other setting shown with its default. */
export function configTemplate(publish: Config["publish"]): string {
  const [first, ...rest] = allSettings();
  if (first?.key !== "publish") throw new Error("publish is the first setting");
  return [
    "# Settings of this workspace. A line without `#` is in force; the others show the defaults.",
    "# Stronger than this file: HONE_* in the environment (HONE_IMPROVE_BUDGET_MS), then flags.",
    "",
    `# ${first.description}`,
    `publish: ${publish}`,
    "",
    ...linesOf(rest),
    "",
  ].join("\n");
}

/** Settings as YAML comments; those of one group stand under its name, deeper ones further in. */
function linesOf(settings: readonly Setting[]): readonly string[] {
  let open: readonly string[] = [];
  return settings.flatMap((setting) => {
    const groups = setting.key.split(".").slice(0, -1);
    const shared = groups.findIndex((group, at) => open[at] !== group);
    const fresh = shared === -1 ? [] : groups.slice(shared);
    open = groups;
    const depth = groups.length - fresh.length;
    return [
      ...fresh.map((group, at) => `# ${"  ".repeat(depth + at)}${group}:`),
      lineOf(setting, "  ".repeat(groups.length)),
    ];
  });
}

/** The comment is YAML once its `# ` is taken away. */
function lineOf({ key, description, ...setting }: Setting, indent: string): string {
  const name = key.split(".").at(-1) ?? key;
  return `# ${indent}${name}: ${JSON.stringify(setting.default)}  # ${description}`;
}
