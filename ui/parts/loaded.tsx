import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { Answer } from "../api/use-answer.ts";
import type { Refusal } from "../api/ask.ts";

/** What an answer shows, or that it is awaited, or why there is none. */
export function Loaded<T>({
  answer,
  children,
}: {
  readonly answer: ReadonlySignal<Answer<T>>;
  readonly children: (data: T) => ComponentChildren;
}): JSX.Element {
  const { data, refusal } = answer.value;
  if (data !== null) return <>{children(data)}</>;
  return refusal === null ? <Loading /> : <Failed refusal={refusal} />;
}

/** Grey bars in the place of what is awaited. */
export function Loading(): JSX.Element {
  return (
    <div class="loading" role="status">
      <span class="sr-only">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Why there is nothing to show, and what helps. */
function Failed({ refusal }: { readonly refusal: Refusal }): JSX.Element {
  return (
    <div class="note bad" role="alert">
      <p class="wrap">{refusal.message}</p>
      {refusal.hint === "" ? null : <p class="muted wrap">{refusal.hint}</p>}
    </div>
  );
}

/** Nothing is there, and why that is so. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}
