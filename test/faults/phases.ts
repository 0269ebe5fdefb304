import { GuestProcess } from "../../src/adapters/isolate/guest-process.ts";
import type { HostFrame } from "../../sandbox/isolate/protocol.ts";
import type { Site } from "./site.ts";
import { replaced, struck, struckAfter } from "./struck.ts";

/**
 * Follows where an improvement is: `reflect`, `search`, the name of a gate, `release` from the
 * recording of the group on, `branch` from the release's row on, `after` once the branch has moved.
 */
export function phasesOf({ hone: { house } }: Site): Disposable & { readonly now: string } {
  let now = "reflect";
  const stack = new DisposableStack();
  const enter = (phase: string) => () => void (now = phase);
  const always = { times: Number.MAX_SAFE_INTEGER };
  for (const proposer of house.proposers) {
    stack.use(struck(proposer, "propose", enter(proposer.name), always));
  }
  for (const gate of house.gates) stack.use(struck(gate, "check", enter(gate.name), always));
  stack.use(struck(house.store, "addGroup", enter("release"), always));
  stack.use(struck(house.store, "addPendingRelease", enter("branch"), always));
  stack.use(struckAfter(house.store, "promote", enter("after"), always));
  return {
    get now() {
      return now;
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/**
 * Does something as soon as a guest has been sent a frame of a kind, at the first for which `isNow`
 * holds. What is done finds the guest with its question in hand.
 */
export function struckAtFrame(
  kind: string,
  strike: (pid: number | undefined) => void,
  isNow: () => boolean = () => true,
): Disposable & { readonly struck: boolean } {
  let isStruck = false;
  const sending = replaced(GuestProcess.prototype, "send", (send, guest) => (frame) => {
    send(frame);
    if (isStruck || (frame as HostFrame).kind !== kind || !isNow()) return;
    isStruck = true;
    strike((guest as GuestProcess).pid);
  });
  return {
    get struck() {
      return isStruck;
    },
    [Symbol.dispose]: () => sending[Symbol.dispose](),
  };
}
