const ALARM_KINDS = ["reward-fell", "reward-blind", "upstream-moved"] as const;
type AlarmKind = (typeof ALARM_KINDS)[number];

/** Something that no case shows and nobody asked about. Told once for each cause until it is over. */
export type Alarm = {
  readonly kind: AlarmKind;
  readonly skill: string;
  /** What tells it from another one of its kind. */
  readonly cause: string;
  /** What is known, in one sentence. */
  readonly text: string;
  readonly raisedAt: number;
  /** Null: it is not over. */
  readonly overAt: number | null;
};
