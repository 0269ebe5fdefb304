import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refusal } from "../api/ask.ts";
import { changes } from "../api/live.ts";
import { notify } from "./notice.tsx";

/** Something that changes the workspace, and is done only when it was confirmed. */
export type Deed = {
  /** A question. */
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly verb: string;
  readonly isGrave?: boolean;
  /** Does it; resolves with what is said afterwards. */
  readonly perform: () => Promise<string>;
};

const asked = signal<Deed | null>(null);
const isBusy = signal(false);

/** Asks the reader before something is done. */
export function confirm(deed: Deed): void {
  asked.value = deed;
}

async function perform(deed: Deed): Promise<void> {
  isBusy.value = true;
  try {
    notify(await deed.perform(), "good");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notify([error.message, error.hint].filter((each) => each !== "").join(" "), "bad");
  } finally {
    isBusy.value = false;
    asked.value = null;
    changes.value += 1;
  }
}

/** The dialogue that asks. */
export function Confirmation(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const deed = asked.value;
  useEffect(() => {
    if (deed !== null && dialog.current?.open === false) dialog.current.showModal();
    if (deed === null) dialog.current?.close();
  }, [deed]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      onClose={() => {
        asked.value = null;
      }}
    >
      {deed === null ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void perform(deed);
          }}
        >
          <h2 id="question" class="wrap">
            {deed.title}
          </h2>
          <p class="wrap">{deed.text}</p>
          <div class="buttons">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button
              type="submit"
              class={deed.isGrave === true ? "grave" : "primary"}
              disabled={isBusy.value}
            >
              {isBusy.value ? "Working …" : deed.verb}
            </button>
          </div>
        </form>
      )}
    </dialog>
  );
}
