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

/** An earlier patch from which others may go on. */
export type Ancestor = Pick<Lesson, "became" | "reward"> & {
  /** Of the candidate. */
  readonly id: string;
  /** The whole source that it left behind. */
  readonly source: string;
  /** Candidates that went on from it. */
  readonly children: number;
};

/** What an incident's ledger has to teach. */
export type Recollection = {
  /** The latest group first; of each the best beside the worst. */
  readonly lessons: readonly Lesson[];
  readonly ancestors: readonly Ancestor[];
  /** Groups so far, none of which was enough. */
  readonly groups: number;
};
