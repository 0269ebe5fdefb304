import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isHelpOpen, PLACES } from "../state/keys.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["j  k", "next and previous row"],
  ["Enter", "open the row"],
  ["/", "filter"],
  ...Object.entries(PLACES).map(([key, [, name]]) => [`g ${key}`, `go to ${name}`] as const),
  ["a  r", "approve or reject, in the review queue"],
  ["?", "this table"],
  ["Esc", "close, or leave a field"],
];

/** The table of keys. */
export function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, said]) => (
          <div key={keys}>
            <dt>
              {keys.split(/\s+/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{said}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
