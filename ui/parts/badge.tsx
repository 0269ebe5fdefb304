import type { ComponentChildren, JSX } from "preact";

export type Tone = "neutral" | "good" | "bad" | "warn" | "accent";

/** A word about a state; the tone is never the only sign of it. */
export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const TONES: Readonly<Record<string, Tone>> = {
  repaired: "good",
  released: "good",
  kept: "good",
  pass: "good",
  passed: "good",
  ready: "good",
  open: "bad",
  "gave-up": "bad",
  fail: "bad",
  rejected: "bad",
  "rolled-back": "bad",
  "infra-error": "bad",
  unavailable: "bad",
  llm_unreachable: "bad",
  "waiting-approval": "warn",
  waiting: "warn",
  "needs-data": "warn",
  "no-change": "warn",
  claimed: "warn",
  watching: "accent",
  improving: "accent",
  probation: "accent",
  loading: "warn",
};

/** A state's own word, in the tone that belongs to it. */
export function State({ of }: { readonly of: string }): JSX.Element {
  return <Badge tone={TONES[of] ?? "neutral"}>{of.replaceAll("-", " ")}</Badge>;
}
