import type { Terminal } from "../cli/terminal.ts";
import { HoneError } from "../domain/errors.ts";
import { STEPS, type Change, type Scene } from "./steps.ts";
import { Unmet } from "./view.ts";
import type { Walls } from "./walls.ts";

/** How a step went. */
type Played = {
  readonly name: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly detail: string;
};

/** What is reported at the end. */
export type Story = {
  readonly steps: readonly Played[];
  readonly releases: readonly Change[];
  readonly tasks: { readonly sent: number; readonly done: number };
  /** `git log` of the skills. */
  readonly log: string;
  /** In which walls the repairs ran. */
  readonly walls: Walls;
  readonly ms: number;
};

/** Step after step; the first that does not come to pass is the last. */
export async function tell(
  scene: Scene,
  terminal: Terminal,
): Promise<Pick<Story, "steps" | "releases">> {
  const steps: Played[] = [];
  const releases: Change[] = [];
  for (const { name, says, play } of STEPS) {
    terminal.progress(`\n${says} …`);
    const startedAt = performance.now();
    const { ok, detail, change } = await play(scene).then(success, (error: unknown) => {
      scene.signal.throwIfAborted();
      return failure(error);
    });
    const ms = Math.round(performance.now() - startedAt);
    steps.push({ name, ok, ms, detail });
    terminal.progress(`  ${ok ? "✓" : "✗"} ${detail} (${(ms / 1000).toFixed(1)} s)`);
    if (!ok) break;
    if (change !== undefined) releases.push(change);
  }
  return { steps, releases };
}

type Seen = { readonly ok: boolean; readonly detail: string; readonly change?: Change };

function success(seen: Omit<Seen, "ok">): Seen {
  return { ok: true, ...seen };
}

/** What was not to be seen, and a daemon that is not there any more, end the story; bugs crash. */
function failure(error: unknown): Seen {
  if (error instanceof Unmet || error instanceof HoneError) {
    return { ok: false, detail: error.message };
  }
  throw error;
}
