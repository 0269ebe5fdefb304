import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "hone-theme";
const ORDER: readonly Theme[] = ["system", "light", "dark"];

/** What the reader chose; `system` follows the machine. */
export const theme = signal<Theme>(stored());

/** Changes with the colours that are shown, for what is painted rather than styled. */
export const colours = signal(0);

/** Puts the chosen colours on the page, now and whenever they change. */
export function applyTheme(): void {
  theme.subscribe((chosen) => {
    if (chosen === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    colours.value = colours.peek() + 1;
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours.value += 1;
  });
}

/** The next of system, light, dark. */
export function nextTheme(): void {
  const next = ORDER[(ORDER.indexOf(theme.peek()) + 1) % ORDER.length] ?? "system";
  localStorage.setItem(KEY, next);
  theme.value = next;
}

function stored(): Theme {
  const found = localStorage.getItem(KEY);
  return ORDER.find((each) => each === found) ?? "system";
}
