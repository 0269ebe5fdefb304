import type { House } from "../ports/house.ts";

/** A queue of its own: each piece of work begins when the one before it has ended, well or not. */
export function oneAtATime(): House["alone"] {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return await mine;
  };
}
