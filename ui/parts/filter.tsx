import type { Signal } from "@preact/signals";
import type { JSX } from "preact";

/** A field that narrows a list down; `/` leads to it. */
export function Filter({
  text,
  label,
}: {
  readonly text: Signal<string>;
  readonly label: string;
}): JSX.Element {
  return (
    <input
      type="search"
      data-filter
      value={text.value}
      aria-label={label}
      placeholder={`${label}  ( / )`}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
    />
  );
}

/** Whether every word of the filter stands somewhere in the texts. */
export function matches(filter: string, ...texts: readonly string[]): boolean {
  const all = texts.join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
