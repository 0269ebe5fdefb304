// The first of all: it keeps stdout for a protocol that is spoken on it.
import { isSpeaking } from "./cli/protocol-output.ts";
import { constants } from "node:os";
import { failureOf, tellFailure } from "./cli/failure.ts";
import { runProgram } from "./cli/program.ts";

const isJson = process.argv.includes("--json") && !isSpeaking;
const isDebug = Boolean(process.env["HONE_DEBUG"]);

/** Tells what ended the command, and gives its exit code. */
function fail(thrown: unknown): number {
  const failure = failureOf(thrown);
  tellFailure(failure, { isJson, isDebug });
  return failure.exitCode;
}

// A bug outside the awaited work. The exit waits a turn, so that a daemon can log its end as well.
process.on("uncaughtException", (thrown) => {
  process.exitCode = fail(thrown);
  setImmediate(() => process.exit());
});

// `hone log | head`: the reader has gone, which is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(128 + constants.signals.SIGPIPE);
});

try {
  process.exitCode = await runProgram(process.argv.slice(2));
} catch (thrown) {
  process.exitCode = fail(thrown);
}

// A signal leaves work behind that nobody waits for any more.
if (process.exitCode === 130 || process.exitCode === 143) process.exit();
