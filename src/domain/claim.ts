import type { Expectation } from "./case.ts";
import { canonical } from "./json.ts";

/** Through what a claim came: a person at a terminal, a program without one, the API, MCP. */
export const DOORS = ["cli", "script", "api", "mcp"] as const;
export type Door = (typeof DOORS)[number];

/** Who claims. An empty name may be anybody's. */
export type Claimant = { readonly door: Door; readonly name: string };

/**
 * That a run was wrong, because somebody says so. The last word of each claimant about a question
 * counts; a question is a skill and an input.
 */
export type Claim = {
  readonly id: string;
  readonly skill: string;
  /** Digest of the input. */
  readonly subject: string;
  readonly by: Claimant;
  readonly runId: string;
  /** The version that gave the answer. */
  readonly version: string;
  readonly incidentId: string | null;
  /** What would have been right; null where the claimant does not say. */
  readonly expectation: Expectation | null;
  readonly reason: string;
  readonly at: number;
  /** How often the claimant has said something about this question. */
  readonly times: number;
};

/** Something beside a claim that says the same. */
export type Ground = {
  readonly kind: "claim" | "run" | "case" | "reward" | "held-out";
  readonly what: string;
};

/**
 * What an incident rests on that was opened by claims. `alone`: on one word, whoever repeats it;
 * `disputed`: those who know better disagree; `unknown`: nobody says what is right.
 */
export type Standing = {
  readonly status: "alone" | "supported" | "disputed" | "unknown";
  /** For people, and for the evidence of a release. */
  readonly reason: string;
  /** What a repair is held against; null where that is not known. */
  readonly expectation: Expectation | null;
};

/**
 * Whether two claims may come from one source. Names are what programs call themselves, so they count
 * between clients of one kind only, where it is the client that says it and not the model behind it;
 * who may be anybody may be anyone but a person at a terminal.
 */
export function mayBeOne(a: Claimant, b: Claimant): boolean {
  if (a.door === "cli" || b.door === "cli") {
    return a.door === b.door && plainName(a.name) === plainName(b.name);
  }
  const areClients = a.door === "mcp" && b.door === "mcp";
  const [one, other] = [plainName(a.name), plainName(b.name)];
  return !areClients || one === "" || other === "" || one === other;
}

/** A name without what two spellings of it differ in. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * What the claims about one question amount to, with the grounds that are known beside them. A person
 * outweighs programs in what is right. Where those that are left name different answers, nobody is
 * believed.
 */
export function standingOf(claims: readonly Claim[], grounds: readonly Ground[]): Standing {
  const telling = claims.filter(({ expectation }) => expectation !== null);
  const persons = telling.filter(({ by }) => by.door === "cli");
  const heard = persons.length > 0 ? persons : telling;
  const answers = new Map(heard.map(({ expectation }) => [textOf(expectation), expectation]));
  const [first] = answers;
  if (first === undefined) {
    const reason = `${saidBy(claims)} that it is wrong, and nobody what is right`;
    return { status: "unknown", reason, expectation: null };
  }
  if (answers.size > 1) {
    const reason = `claims disagree on what is right: ${saidBy(heard)}`;
    return { status: "disputed", reason, expectation: null };
  }
  const [text, expectation] = first;
  const agreeing = telling.filter((one) => textOf(one.expectation) === text);
  const found = [...independentIn(agreeing), ...grounds];
  if (found.length === 0) {
    const reason = `it rests on a claim alone (${saidBy(agreeing)}): a second independent evidence is wanted, or a person`;
    return { status: "alone", reason, expectation };
  }
  const what = found.map((ground) => ground.what).join("; ");
  return { status: "supported", reason: `claimed (${saidBy(agreeing)}), and ${what}`, expectation };
}

/** A claim that cannot come from where another comes from; the pair is one ground. */
function independentIn(claims: readonly Claim[]): readonly Ground[] {
  for (const [at, { by }] of claims.entries()) {
    const other = claims.slice(at + 1).find((one) => !mayBeOne(by, one.by));
    if (other !== undefined) {
      return [{ kind: "claim", what: `${nameOf(by)} and ${nameOf(other.by)} agree` }];
    }
  }
  return [];
}

function saidBy(claims: readonly Claim[]): string {
  const names = [...new Set(claims.map(({ by }) => nameOf(by)))];
  const some = names.slice(0, MOST_NAMED).join(", ");
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `${some}${rest} ${names.length === 1 ? "says" : "say"}`;
}

const MOST_NAMED = 5;

/** A claimant in a sentence of ours: a name is somebody else's text, and must not become one. */
export function nameOf({ door, name }: Claimant): string {
  const plain = name
    .replace(/[^\w .@/-]+/g, "")
    .trim()
    .slice(0, 40);
  return plain === "" ? `an unnamed client (${door})` : `${plain} (${door})`;
}

function textOf(expectation: Expectation | null): string {
  return expectation === null ? "" : canonical({ ...expectation });
}

/** The signature of the incident that claims about one question make. */
export function claimedSignature(skill: string, subject: string): string {
  return [skill, CLAIMED, subject].join("|");
}

const CLAIMED = "claimed";

/** The question that an incident is about which claims opened; null for any other. */
export function subjectOf({ signature }: { readonly signature: string }): string | null {
  const [, kind, subject] = signature.split("|");
  return kind === CLAIMED && subject !== undefined ? subject : null;
}

/** Characters of a reason that are kept. */
const MOST_REASON = 400;

const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|hf|npm|AKIA|ASIA|AIza)[-_A-Za-z0-9]{12,}/g,
  /\b(?:bearer|basic)\s+[\w+/=.-]{12,}/gi,
  /\b(?:password|passwd|secret|token|api[-_ ]?key)\b\s*[:=]\s*\S+/gi,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/gi,
] as const;

/**
 * Somebody's text without what looks like a secret, and without the values that are known to be some.
 */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  const cleaned = known
    .filter((value) => value.length > 0)
    .reduce((left, value) => left.replaceAll(value, HIDDEN), text);
  return SECRETS.reduce((left, pattern) => left.replace(pattern, HIDDEN), cleaned);
}

const HIDDEN = "[secret]";

/** A reason as it is kept: one line of bounded length, without secrets and controls. */
export function keptReason(reason: string, known: readonly string[] = []): string {
  const line = withoutSecrets(reason, known)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  return line.length > MOST_REASON ? `${line.slice(0, MOST_REASON - 1)}…` : line;
}
