import type { Edit } from "../domain/candidate.ts";
import type { DriftEvidence } from "../domain/drift.ts";
import type { Suspicion } from "../domain/incident.ts";
import type { MachineCall } from "../domain/machine.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Language, Program, Signature } from "../domain/skill.ts";
import type { ThrownError } from "../domain/trace.ts";
import type { Seat } from "./sandbox.ts";

/** A finding about a text: what, and on which line (from 1). */
export type Finding = { readonly line: number; readonly message: string };

/** A type error; of a stated type that the patch changed, the two types as JSON Schemas. */
export type TypeFinding = Finding & {
  readonly changed?: {
    /** The position of the parameter; null: the result. */
    readonly parameter: number | null;
    readonly was: JsonObject;
    readonly is: JsonObject;
  };
};

/** What the policy has against a patch; what does not say that it asks, refuses. */
export type PolicyFinding = Finding & {
  /** It may be what the repair is for: a person decides. */
  readonly severity?: "ask";
};

/** What the policy is told of the visible cases. */
export type Shown = {
  /** Arguments, as lists, and expected values. */
  readonly values: readonly Json[];
  /** What the faulty version throws where a case wants something else. */
  readonly thrown: readonly (Pick<ThrownError, "name" | "message"> & {
    /** Where it was made, if that is known. */
    readonly line: number | null;
  })[];
};

/** What a source says about itself. `problems` names everything wrong with it, in one pass. */
export type Inspection =
  | {
      readonly status: "sound";
      readonly signature: Signature;
      readonly inputSchema: JsonObject;
      readonly outputSchema: JsonObject;
      readonly program: Program;
      /** Digest of the tokens: blanks and comments do not count. */
      readonly digest: string;
      /** The skills that a machine names, each where it does. */
      readonly calls?: readonly MachineCall[];
    }
  | { readonly status: "unsound"; readonly problems: readonly Finding[] };

export type SourceText = {
  readonly text: string;
  readonly language: Language;
  /** The name that must be exported (or defined, in a plain script); null: the only export. */
  readonly entry: string | null;
};

export type Edited =
  | { readonly status: "edited"; readonly text: string }
  | { readonly status: "refused"; readonly reason: string };

/** A place of an instrumented program, as offsets in the source. */
export type Site = { readonly start: number; readonly end: number; readonly line: number };

export type Instrumented = { readonly program: Program; readonly sites: readonly Site[] };

/** A value that a source has written down. */
export type Literal = string | number;

/** One enumerated change of a source, with the operator that made it and its prior in (0,1]. */
export type Mutation = {
  readonly edits: readonly Edit[];
  readonly operator: string;
  readonly prior: number;
  /** The program after the change, ready to run. */
  readonly program: Program;
};

/** A regular expression of a source, at the place of its literal or of the text it is made from. */
export type PatternSite = PatternText & {
  readonly form: "literal" | "string";
  readonly start: number;
  readonly end: number;
  /** Where it is the value of an entry of an object: its key, where the object and the entry are. */
  readonly entry: { readonly key: string; readonly table: number; readonly end: number } | null;
};

/** A pattern with its flags. */
export type PatternText = { readonly text: string; readonly flags: string };

/** A pattern near another one, with how likely it is among its like; 1 is usual. */
export type PatternVariant = PatternText & {
  readonly weight: number;
  /** The kinds of change that led to it. */
  readonly kinds: readonly string[];
};

/** A program whose first argument is an order to its regular expressions (see src/editor/watch-parts.ts). */
export type Watched = { readonly program: Program; readonly sites: readonly PatternSite[] };

/** A text that reached a pattern: whether it should match, and whether it does. */
export type PatternRow = {
  readonly text: string;
  readonly wants: boolean;
  readonly matches: boolean;
};

/** What is known of a pattern: its rows, and by hole what each of them has in it; null: no match. */
export type Lesson = PatternText & {
  readonly rows: readonly PatternRow[];
  readonly captures: readonly (readonly (string | null)[])[];
};

/** Many changes of one source in one program; see `Editor.variants`. */
export type Variants = {
  /** To be given to `Sandbox.sift` with seats: no program in its own right. */
  readonly program: Program;
  /** Where each change is, by its position; null for one that the engine does not compile. */
  readonly seats: readonly (Seat | null)[];
};

/** One way to make a source sound that cannot be read. */
export type SyntaxRepair = {
  /** One splice. */
  readonly edits: readonly Edit[];
  /** The source after it, and its program. */
  readonly text: string;
  readonly program: Program;
  /** Where it begins, from 1. */
  readonly line: number;
  /** ``a `,` is missing after `x` ``; several steps are joined by `; `. */
  readonly says: string;
  /** Smaller is likelier; differences compare, as of negative logarithms. */
  readonly cost: number;
};

/** A place at which another expression may stand, or a statement before which a guard may. */
export type ProbedHole = {
  readonly start: number;
  readonly end: number;
  readonly kind: "condition" | "value" | "guard";
  /** How suspicious it is, times how often fixes are at such places. */
  readonly weight: number;
  /** What stands here once is what the skill gives back. */
  readonly isResult: boolean;
};

/** A program that notes values at its holes; see `Editor.probe`. */
export type Probe = { readonly program: Program; readonly holes: readonly ProbedHole[] };

/** One passing of a hole: the values noted there as the guest wrote them, and the hole's own. */
export type NotedContext = { readonly atoms: readonly Json[]; readonly was: Json };

/** A run of one case as far as it was noted: contexts that follow each other. */
export type NotedRun = {
  /** The contexts from this number up to the other one. */
  readonly from: number;
  readonly to: number;
  readonly passed: boolean;
  /** Every passing of the hole was noted. */
  readonly isComplete: boolean;
  /** The hole's values were forced, and the case passed with them. */
  readonly isForced: boolean;
  /** What the case expects to be returned, written as values are noted; absent where nothing. */
  readonly expected?: Json;
};

/** What is known of one hole from running the visible cases. */
export type Noted = {
  readonly contexts: readonly NotedContext[];
  readonly runs: readonly NotedRun[];
  /** All that the hole could have been in the failing case was tried by force. */
  readonly isExhaustive: boolean;
};

/** One repair that follows a vendor's change, with a sentence for the commit. */
export type DriftRepair = {
  readonly edits: readonly Edit[];
  readonly operator: string;
  readonly reason: string;
};

/**
 * Everything that needs a syntax tree. It lives in a process of its own, which may be lost and
 * replaced at any time; no skill code is ever run in it.
 *
 * Contract, kept by `test/contracts/editor.contract.ts`:
 * - bytes outside an edit never change (CRLF, BOM, comments, blank lines);
 * - what the source or the edit got wrong is returned; only a lost process rejects (`editor-failed`).
 */
export interface Editor extends AsyncDisposable {
  inspect(source: SourceText, signal: AbortSignal): Promise<Inspection>;
  apply(source: SourceText, edits: readonly Edit[], signal: AbortSignal): Promise<Edited>;
  /** Type errors of `after` that `before` does not have; a changed exported contract is one. */
  newTypeErrors(
    before: SourceText,
    after: SourceText,
    signal: AbortSignal,
  ): Promise<readonly TypeFinding[]>;
  /** What `after` does that no candidate may do, as far as `before` does not already. */
  policyFindings(
    before: SourceText,
    after: SourceText,
    shown: Shown,
    signal: AbortSignal,
  ): Promise<readonly PolicyFinding[]>;
  /** The values that a source has written down, in their order. */
  literals(source: SourceText, signal: AbortSignal): Promise<readonly Literal[]>;
  /** A program that counts the statements and expressions it passes. */
  instrument(source: SourceText, signal: AbortSignal): Promise<Instrumented>;
  /** Single edits at suspicious places, most likely first; at most `limit`, from `offset`. */
  enumerate(
    source: SourceText,
    search: {
      readonly suspicions: readonly Suspicion[];
      /** Messages of errors that failing cases want. */
      readonly wantedErrors?: readonly string[];
      /** Names of events that failing cases send to a machine. */
      readonly events?: readonly string[];
      readonly offset: number;
      readonly limit: number;
    },
    signal: AbortSignal,
  ): Promise<readonly Mutation[]>;
  /**
   * One program that carries changes of plain JavaScript, each given as its splices. `[0, 0]` is the
   * seat of the source as it is. Null for a source that cannot be carried.
   */
  variants(
    source: SourceText,
    changes: readonly (readonly Edit[])[],
    signal: AbortSignal,
  ): Promise<Variants | null>;
  /** A program that tells which texts reach which regular expression, and finds there what it is told. */
  watchPatterns(source: SourceText, signal: AbortSignal): Promise<Watched>;
  /** By pattern, patterns whose group `hone_` takes what would have to stand there for a match. */
  patternHoles(
    patterns: readonly PatternText[],
    signal: AbortSignal,
  ): Promise<readonly (readonly PatternText[])[]>;
  /** By lesson, changes of its pattern; `captures` are those of `patternHoles`, in their order. */
  patternChanges(
    lessons: readonly Lesson[],
    signal: AbortSignal,
  ): Promise<readonly (readonly PatternVariant[])[]>;
  /**
   * Sound sources that the fewest token edits make of one that does not parse or that the engine
   * refuses to compile, likeliest first; none for a source that has another fault or none.
   */
  syntaxRepairs(
    source: SourceText,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly SyntaxRepair[]>;
  /**
   * A program that takes a plan before its arguments, and gives back what it noted at the likeliest
   * holes of the source, at most `limit`; null for a source that cannot be carried.
   */
  probe(
    source: SourceText,
    search: { readonly suspicions: readonly Suspicion[]; readonly limit: number },
    signal: AbortSignal,
  ): Promise<Probe | null>;
  /**
   * Changes that put a new expression into one hole of a probe of the same search, made of what is
   * in scope there and held against what was noted; the likeliest first.
   */
  synthesise(
    source: SourceText,
    search: {
      readonly suspicions: readonly Suspicion[];
      readonly limit: number;
      readonly hole: number;
      /** Values of expressions that are computed at most. */
      readonly work: number;
    },
    noted: Noted,
    signal: AbortSignal,
  ): Promise<readonly Mutation[]>;
  /** Repairs of a source that follow what recorded exchanges say a vendor changed. */
  driftEdits(
    source: SourceText,
    evidence: DriftEvidence,
    signal: AbortSignal,
  ): Promise<readonly DriftRepair[]>;
}
