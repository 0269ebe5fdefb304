import { Command, InvalidArgumentError } from "commander";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invoke } from "./invocation.ts";
import { wholeNumber } from "./options.ts";

type Options = {
  readonly follow?: true;
  readonly since?: number;
  readonly skill?: string;
  readonly lines?: number;
};

/** Lines shown without `--lines` and `--since`. */
const LINES = 200;

/** `hone logs`: the daemon's log, through its rotations; whether a daemon is up does not matter. */
export function logsCommand(invoke: Invoke): Command {
  return new Command("logs")
    .description("what the daemon logged, and goes on logging with --follow")
    .option("-f, --follow", "go on with what comes, until Ctrl-C")
    .option("--since <time>", "from then on: 30s, 10m, 2h, 1d, or a date and time", instant)
    .option("--skill <name>", "only what is about this skill")
    .option(
      "-n, --lines <count>",
      "the last lines only; default: 200, all with --since",
      wholeNumber(0),
    )
    .action((options: Options) =>
      invoke(async ({ cwd, workspace, signal, terminal }) => {
        const dir = findWorkspace(cwd, workspace);
        const { logFileOf } = await import("../daemon/life/log.ts");
        const { logLines } = await import("../daemon/life/log-reader.ts");
        const { prettyLog } = await import("./pretty-log.ts");
        const pretty = prettyLog(terminal);
        const tail = new Tail(options, (entry) => terminal.answerText(entry, pretty(entry)));
        const follow = options.follow === true;
        for await (const line of logLines(logFileOf(dir), { follow, signal })) {
          if (line === null) tail.flush();
          else tail.take(line);
        }
        tail.flush();
        // To stop following is how it ends.
        return 0;
      }),
    );
}

/** Shows the last of the lines that are there, and then each that comes. */
class Tail {
  readonly #options: Options;
  readonly #show: (entry: JsonObject) => void;
  readonly #most: number;
  #held: JsonObject[] | null = [];

  constructor(options: Options, show: (entry: JsonObject) => void) {
    this.#options = options;
    this.#show = show;
    this.#most = options.lines ?? (options.since === undefined ? LINES : Infinity);
  }

  take(line: string): void {
    const entry = entryOf(line);
    if (!isWanted(entry, this.#options)) return;
    if (this.#held === null) return this.#show(entry);
    this.#held.push(entry);
    if (this.#held.length > 2 * this.#most) this.#held = this.#held.slice(-this.#most);
  }

  /** All that was there has been taken. */
  flush(): void {
    const held = this.#held ?? [];
    for (const entry of held.slice(Math.max(0, held.length - this.#most))) this.#show(entry);
    this.#held = null;
  }
}

function isWanted(entry: JsonObject, { since, skill }: Options): boolean {
  if (skill !== undefined && entry["skill"] !== skill) return false;
  return since === undefined || Number(entry["time"]) >= since;
}

/** A line that is no JSON, as a torn one, is shown as what it is. */
function entryOf(line: string): JsonObject {
  try {
    const value = JSON.parse(line) as Json;
    if (isJsonObject(value)) return value;
  } catch {
    // Below.
  }
  return { msg: line };
}

/** A time from now backwards, or a date, in milliseconds since the epoch. */
function instant(text: string): number {
  const [, count, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (UNIT_MS[unit] ?? 0);
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError("It must be like 10m or 2h, or a date and time.");
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
