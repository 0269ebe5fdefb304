/** What some work comes to; `otherwise` where it takes longer than it may, and is given up. */
export async function inTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { leftMs, otherwise }: { readonly leftMs: number; readonly otherwise: T },
  signal: AbortSignal,
): Promise<T> {
  const late = lateAfter(leftMs);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (thrown) {
    if (!late.aborted || signal.aborted) throw thrown;
    return otherwise;
  }
}

/** What a generator yields until its time is over; what it is at then is given up. */
export async function* untilLate<T>(
  make: (signal: AbortSignal) => AsyncGenerator<T>,
  leftMs: number,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const late = lateAfter(leftMs);
  try {
    yield* make(AbortSignal.any([signal, late]));
  } catch (thrown) {
    if (!late.aborted || signal.aborted) throw thrown;
  }
}

function lateAfter(ms: number): AbortSignal {
  return AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
}
