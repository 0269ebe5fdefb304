import type { House } from "../../ports/house.ts";
import type { Life } from "./life.ts";

/** Timers of Node take no more milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Leaves safe mode when there was no crash for the quiet time. */
export function keepQuiet(
  life: Pick<Life, "quietAt" | "leaveSafeMode">,
  by: { readonly tell: House["tell"]; readonly toNormal: () => Promise<void> },
): Disposable {
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    const at = life.quietAt();
    if (at === null) return;
    const waitMs = at - Date.now();
    if (waitMs > 0) {
      timer = setTimeout(look, Math.min(waitMs, LONGEST_MS)).unref();
      return;
    }
    life.leaveSafeMode();
    by.tell("safe-mode.left", null, { by: "hone", reason: "there was no crash since" });
    void by.toNormal();
  };
  look();
  return {
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
