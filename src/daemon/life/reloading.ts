import type { Config } from "../../config.ts";
import { HoneError, messageOf } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { House } from "../../ports/house.ts";
import { apply, changesTo, type Change } from "./live-settings.ts";

export type Reloading = {
  /** Reads the settings and applies what can be. Throws what is wrong with them: the old ones stay. */
  readonly reload: () => Promise<JsonObject>;
  /** As sentences: settings that are not in force though they stand in the files. */
  readonly problems: () => readonly string[];
};

type Parts = {
  readonly config: Config;
  readonly house: Pick<House, "settings" | "tell">;
  /** Reads and validates all settings. Throws `bad-config`. */
  readonly load: () => Promise<Config>;
  /** Told which settings in force have changed. May throw what is wrong with them. */
  readonly onApplied: (keys: readonly string[]) => Promise<void>;
};

/** Reads settings anew while the daemon works, one time after another. */
export function reloadingOf(parts: Parts): Reloading {
  const { config, house, load } = parts;
  let problems: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function reloadNow(): Promise<JsonObject> {
    const { live, later } = changesTo(config, await load());
    if (live.length > 0) await applyOrUndo(live, parts);
    const [applied, afterRestart] = [live.map(keyOf), later.map(keyOf)];
    problems = later.length === 0 ? [] : [laterText(afterRestart)];
    house.tell("settings.reloaded", null, { applied, afterRestart });
    return {
      schemaVersion: 1,
      result: live.length > 0 ? "applied" : "unchanged",
      applied: live.map((each) => ({ ...each })),
      afterRestart: later.map((each) => ({ ...each })),
    };
  }

  async function reloadOrTell(): Promise<JsonObject> {
    try {
      return await reloadNow();
    } catch (error) {
      if (!(error instanceof HoneError)) throw error;
      const reason = messageOf(error);
      problems = [`the settings were not read anew, those before are in force: ${reason}`];
      house.tell("settings.refused", null, { reason });
      throw error;
    }
  }

  return {
    async reload() {
      const mine = last.then(reloadOrTell, reloadOrTell);
      last = mine;
      return await mine;
    },
    problems: () => problems,
  };
}

async function applyOrUndo(changes: readonly Change[], parts: Parts): Promise<void> {
  apply(changes, parts);
  try {
    await parts.onApplied(changes.map(keyOf));
  } catch (error) {
    const back = changes.map(({ key, from, to }) => ({ key, from: to, to: from }));
    apply(back, parts);
    await parts.onApplied(back.map(keyOf));
    throw error;
  }
}

function keyOf({ key }: Change): string {
  return key;
}

function laterText(keys: readonly string[]): string {
  return `changed settings that are in force after \`hone restart\`: ${keys.join(", ")}`;
}
