import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go } from "./route.ts";

/** Whether the table of keys is open. */
export const isHelpOpen = signal(false);

export type Keys = Readonly<Record<string, () => void>>;

/** What `g` and a letter lead to. */
export const PLACES: Readonly<Record<string, readonly [string, string]>> = {
  o: ["/", "Overview"],
  s: ["/skills", "Skills"],
  i: ["/incidents", "Incidents"],
  r: ["/review", "Review"],
  l: ["/live", "Live"],
};

const pageKeys: Keys[] = [];

/** How long `g` waits for its letter. */
const PAIR_MS = 1_500;

let pairUntil = 0;

/** Keys of the page that is shown, for as long as it is. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    pageKeys.push(keys);
    return () => void pageKeys.splice(pageKeys.indexOf(keys), 1);
  });
}

/** Listens to the keys of the dashboard; those typed into a field or a dialogue are let be. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    if (document.querySelector("dialog[open]") !== null) return;
    const act = actionOf(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function actionOf(key: string): (() => void) | undefined {
  if (Date.now() < pairUntil) {
    pairUntil = 0;
    const place = PLACES[key];
    if (place !== undefined) return () => go(place[0]);
  }
  return pageKeys.findLast((keys) => Object.hasOwn(keys, key))?.[key] ?? EVERYWHERE[key];
}

const EVERYWHERE: Keys = {
  "?": () => {
    isHelpOpen.value = true;
  },
  g: () => {
    pairUntil = Date.now() + PAIR_MS;
  },
  j: () => step(1),
  k: () => step(-1),
  "/": () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
};

/** Moves the focus from row to row of the page. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
