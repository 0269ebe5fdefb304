/** A change as data; applied by the editor, never by the proposer. */
export type Edit =
  /** Replaces the UTF-16 range [start, end) of skill.ts. */
  | { readonly op: "splice"; readonly start: number; readonly end: number; readonly text: string }
  /** Replaces a top-level declaration by its full new text; `*` is the whole file. */
  | { readonly op: "replace"; readonly target: string; readonly code: string }
  /** Replaces the statements of a function's body. */
  | { readonly op: "body"; readonly target: string; readonly code: string }
  /** Adds a top-level declaration at the end. */
  | { readonly op: "add"; readonly code: string };

const PROPOSER_NAMES = ["revert", "drift", "search", "model", "offered"] as const;
export type ProposerName = (typeof PROPOSER_NAMES)[number];

/** Where a candidate comes from. */
export type Origin = {
  readonly proposer: ProposerName;
  readonly operator: string;
  readonly seed: number;
  /** The candidate it was made from, if any. */
  readonly parent: string | null;
  /** Where a language model wrote it. */
  readonly model?: ModelOrigin;
};

/** The model as its server names it, the digest of hone's prompts, and the temperature. */
export type ModelOrigin = {
  readonly name: string;
  readonly prompt: string;
  readonly temperature: number;
  /** Where it was chosen how to ask: every sample that gave this answer, by its arm. */
  readonly samples?: readonly ArmSample[];
};

/** A way in which a model was asked, and the tokens that it took. */
type ArmSample = { readonly arm: string; readonly tokens: number };

/** Another patch that satisfies the same cases and does something else where nothing is expected. */
export type Rival = {
  readonly operator: string;
  readonly reason: string;
  /** How likely it is the right one, in (0,1). */
  readonly confidence: number;
  /** An input on which the two differ, with what each does there; null where none was found. */
  readonly differsOn: {
    readonly input: string;
    readonly chosen: string;
    readonly rival: string;
  } | null;
};

/** What a proposer hands over. */
export type Proposal = {
  readonly edits: readonly Edit[];
  readonly origin: Origin;
  /** One sentence for the commit and for `hone why`. */
  readonly reason: string;
  /** How likely it is right beyond the visible cases, in (0,1); absent where nobody weighed it. */
  readonly confidence?: number;
  /** What it was chosen over, the surest first. */
  readonly rivals?: readonly Rival[];
};

/** A proposed patch, applied: the source it would leave behind. */
export type Candidate = Proposal & {
  readonly id: string;
  readonly incidentId: string;
  readonly skill: string;
  readonly source: string;
  /** Digest of the source without blanks and comments: equal digests are the same candidate. */
  readonly digest: string;
  /** Characters changed; smaller is better among equals. */
  readonly size: number;
};

const CANDIDATE_STATES = ["rejected", "waiting", "released", "spare", "infra-error"] as const;
export type CandidateState = (typeof CANDIDATE_STATES)[number];

/** The group-relative advantage (Shao et al. 2024, GRPO, arXiv 2402.03300): (r − mean) / std. */
export function advantagesOf(rewards: readonly number[]): readonly number[] | null {
  if (rewards.length < 2) return null;
  const mean = rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
  const std = Math.sqrt(rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0) / rewards.length);
  return std < 1e-9 ? null : rewards.map((r) => (r - mean) / std);
}
