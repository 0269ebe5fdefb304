import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { Git, type GitCall } from "../../src/adapters/git/git-process.ts";
import { replaced } from "./struck.ts";

/**
 * How a call of git goes wrong:
 * `fails`: it complains and exits; `dies`: killed before it does anything; `hangs`: until it is
 * stopped; `deaf`: the same, and it does not hear SIGTERM; `did`: killed after its work, before it
 * can say so; `torn`: killed with its locks taken, before it commits; `takes-hone`: hone is killed
 * with it, before its work, with its locks taken or after its work.
 */
export type GitFault =
  | "fails"
  | "dies"
  | "hangs"
  | "deaf"
  | "did"
  | "torn"
  | "takes-hone"
  | "torn-takes-hone"
  | "did-takes-hone";

/**
 * A `git` that stands early on PATH. Only hone's own calls, and only those in a workspace that has
 * a plan beside it (`<workspace>.faults/`), are counted by their command and struck; all others go
 * to the real git at once. `mkdir` is what counts, for it is atomic.
 */
const WRAPPER = `#!/bin/sh
real=REAL
[ "$GIT_AUTHOR_NAME" = hone ] || exec "$real" "$@"
root=\${GIT_OBJECT_DIRECTORY:-$PWD}
plan=\${root%/.git/objects}.faults
[ -d "$plan/calls" ] || exec "$real" "$@"
verb= skip=
for word in "$@"; do
  [ -n "$skip" ] && { skip=; continue; }
  case $word in -c | -C) skip=yes ;; -*) ;; *) verb=$word; break ;; esac
done
n=1
until mkdir "$plan/calls/$verb.$n" 2>/dev/null; do
  [ -d "$plan/calls/$verb.$n" ] || exec "$real" "$@"
  n=$((n + 1))
done
[ -f "$plan/$verb.$n" ] || exec "$real" "$@"
read -r how <"$plan/$verb.$n"
case $how in
fails) echo "fatal: the injected fault" >&2; exit 128 ;;
dies) kill -KILL $$ ;;
hangs) exec sleep 600 ;;
deaf) trap '' TERM; sleep 600; exit 1 ;;
did) "$real" "$@"; kill -KILL $$ ;;
torn | torn-takes-hone)
  { sed '/^commit$/d'; sleep 600; } | "$real" "$@" &
  sleep 0.2
  [ "$how" = torn ] || kill -KILL $PPID
  kill -KILL 0
  ;;
takes-hone) kill -KILL $PPID; exit 1 ;;
did-takes-hone) "$real" "$@"; kill -KILL $PPID; exit 1 ;;
esac
`;

/** Puts the wrapper before git for everything that this process starts from now on. */
export function wrapGit(): Disposable {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hone-git-wrapper-"));
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(path.join(folder, "git"), WRAPPER.replace("REAL", real), { mode: 0o755 });
  const before = process.env["PATH"] ?? "";
  process.env["PATH"] = `${folder}:${before}`;
  return {
    [Symbol.dispose]() {
      process.env["PATH"] = before;
      rmSync(folder, { recursive: true });
    },
  };
}

/** The plan of faults of one workspace: from now on its calls are counted. */
export class GitPlan implements Disposable {
  readonly #folder: string;

  /** `strikes`: what befalls the n-th call of a command, as `{ "update-ref.1": "dies" }`. */
  constructor(workspaceDir: string, strikes: Readonly<Record<string, GitFault>> = {}) {
    this.#folder = `${workspaceDir}.faults`;
    mkdirSync(this.#folder, { recursive: true });
    for (const [call, how] of Object.entries(strikes)) {
      writeFileSync(path.join(this.#folder, call), `${how}\n`);
    }
    mkdirSync(path.join(this.#folder, "calls"));
  }

  /** The calls so far, as `command.n`. */
  get calls(): readonly string[] {
    return readdirSync(path.join(this.#folder, "calls")).toSorted();
  }

  [Symbol.dispose](): void {
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true });
  }
}

/** Gives a command of git less time than usual, so that one that hangs does not hold a test up. */
export function limitGit(command: string, limitMs: number): Disposable {
  return replaced(Git.prototype, "run", (run) => (given) => {
    const call = given as GitCall;
    return run(call.args.includes(command) ? { ...call, limitMs } : call);
  });
}
