/** Something that runs or does not, as settings say that may change. */
export type Switched = {
  /** Starts it where it is wanted and does not run, and ends it where it runs and is not wanted. */
  readonly set: (isWanted: boolean) => void;
} & AsyncDisposable;

/** `start` puts what it starts on the stack that it is given. To end it may take a while. */
export function switched(start: (stack: AsyncDisposableStack) => void): Switched {
  let running: AsyncDisposableStack | null = null;
  const ending = new Set<Promise<void>>();
  const end = (): void => {
    if (running === null) return;
    const ended = running.disposeAsync().finally(() => ending.delete(ended));
    ending.add(ended);
    running = null;
  };
  return {
    set(isWanted) {
      if (!isWanted) return end();
      if (running !== null) return;
      running = new AsyncDisposableStack();
      start(running);
    },
    async [Symbol.asyncDispose]() {
      end();
      await Promise.all(ending);
    },
  };
}
