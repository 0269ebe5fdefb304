import path from "node:path";
import pino, { type Logger } from "pino";
import type { Config } from "../../config.ts";
import { LogFile, type LogState } from "./log-file.ts";

/** The daemon's log: JSON lines in data/run/hone.log. */
export type DaemonLog = {
  readonly log: Logger;
  readonly state: () => LogState;
  /** Takes on the settings that are in force now. */
  readonly follow: (config: Pick<Config, "log" | "logLevel">) => void;
  /** As sentences: what the log lacks. */
  readonly troubles: () => readonly string[];
} & Disposable;

/** Where the log of a workspace is. */
export function logFileOf(dir: string): string {
  return path.join(dir, "data", "run", "hone.log");
}

/** Opens the log. `mirror` is shown each line as well, where somebody looks on. */
export function openLog(
  dir: string,
  { log: limits, logLevel }: Pick<Config, "log" | "logLevel">,
  mirror: (line: string) => void = () => undefined,
): DaemonLog {
  const file = new LogFile({ file: logFileOf(dir), ...limits });
  const write = (line: string): void => {
    file.write(line);
    mirror(line);
  };
  const log = pino({ level: logLevel, base: null }, { write });
  return {
    log,
    state: () => file.state,
    follow: (config) => {
      file.limit(config.log);
      log.level = config.logLevel;
    },
    troubles: () => troublesOf(file.state),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function troublesOf({ trouble, lost, file }: LogState): readonly string[] {
  if (trouble === null) return [];
  return [`the log takes no lines, ${lost} are lost: ${trouble} (${file}); the work goes on`];
}
