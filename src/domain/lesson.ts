/** What was tried before for an incident, as a model is told of it. */
export type Lesson = {
  /** What the patch was for, in a sentence. */
  readonly reason: string;
  /** The changed text. */
  readonly code: string;
  /** What became of it: the gate that refused it and why, or that it was right but not enough. */
  readonly became: string;
  /** Share of the visible cases that passed, in [0,1]. */
  readonly reward: number;
};
