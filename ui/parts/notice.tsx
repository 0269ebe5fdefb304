import { signal } from "@preact/signals";
import type { JSX } from "preact";

type Said = { readonly text: string; readonly tone: "good" | "bad" };

const said = signal<Said | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** How long a good message stays; one about a failure stays until it is closed. */
const STAYS_MS = 8_000;

/** Says what became of what the reader did. */
export function notify(text: string, tone: Said["tone"]): void {
  clearTimeout(timer);
  said.value = { text, tone };
  if (tone === "good") timer = setTimeout(close, STAYS_MS);
}

function close(): void {
  said.value = null;
}

/** The latest message. */
export function Notice(): JSX.Element {
  const message = said.value;
  return (
    <div class="notice" role="status" aria-live="polite">
      {message === null ? null : (
        <div class={`note ${message.tone}`}>
          <p class="wrap">{message.text}</p>
          <button type="button" class="quiet" onClick={close} aria-label="Close the message">
            ×
          </button>
        </div>
      )}
    </div>
  );
}
