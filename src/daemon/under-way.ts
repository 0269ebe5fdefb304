import { HoneError } from "../domain/errors.ts";

/** Tasks that are being run now, by their ids, each with the way to end it. */
export type UnderWay = Map<string, TaskUnderWay>;

type TaskUnderWay = {
  readonly cancel: (by: string) => void;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>;
};

/**
 * Runs a task such that it can be ended from elsewhere: its signal aborts with `signal`, and with a
 * `refused` when it is cancelled.
 */
export async function whileUnderWay<T>(
  id: string,
  { underWay, signal }: { readonly underWay: UnderWay; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tasks = underWay;
  const own = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const cancel = (by: string): void => own.abort(new HoneError("refused", `cancelled by ${by}`));
  tasks.set(id, { cancel, ended });
  try {
    return await work(AbortSignal.any([signal, own.signal]));
  } finally {
    tasks.delete(id);
    end();
  }
}
