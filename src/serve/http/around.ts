/** Answers a request within what its headers say of the trace that it belongs to. */
export type Around = (
  headers: Readonly<Record<string, string>>,
  answer: () => Promise<void>,
) => Promise<void>;
