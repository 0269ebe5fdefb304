import { loadConfig, type ConfigSources, type LoadedConfig } from "../../config-file.ts";

/**
 * Reads the settings as a daemon does before it starts: with the times of its schedules. Throws
 * `bad-config` for all that a daemon would not start with.
 */
export async function loadValid(sources: ConfigSources): Promise<LoadedConfig> {
  const loaded = await loadConfig(sources);
  const { schedules } = loaded.config;
  if (schedules.length === 0) return loaded;
  // node-cron is loaded only where something recurs.
  const { slotsOf } = await import("../schedules/slots.ts");
  for (const entry of schedules) slotsOf(entry, Date.now());
  return loaded;
}
