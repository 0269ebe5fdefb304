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

/** Settings as YAML comments; those of one group stand under its name. */
function linesOf(settings: readonly Setting[]): readonly string[] {
  const groups = Map.groupBy(settings, ({ key }) => key.split(".").slice(0, -1).join("."));
  return [...groups].flatMap(([group, members]) =>
    group === ""
      ? members.flatMap((setting) => lineOf(setting, ""))
      : [`# ${group}:`, ...members.flatMap((setting) => lineOf(setting, "  "))],
  );
}

/** The comment is YAML once its `# ` is taken away. */
function lineOf({ key, description, ...setting }: Setting, indent: string): readonly string[] {
  const name = key.split(".").at(-1) ?? key;
  return [`# ${indent}${name}: ${JSON.stringify(setting.default)}  # ${description}`];
}
