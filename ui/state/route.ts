import { signal } from "@preact/signals";

/** The path that is shown. */
export const path = signal(location.pathname);

addEventListener("popstate", () => {
  path.value = location.pathname;
});

/** Goes to a page of the dashboard. */
export function go(to: string): void {
  if (to === location.pathname) return;
  history.pushState(null, "", to);
  path.value = to;
  scrollTo(0, 0);
}

/** Lets links within the dashboard change the page without loading it again. */
export function onLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || isModified(event)) return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (link.hash !== "" && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname);
}

function isModified({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}

/** What follows a start of the path, such as the name in /skills/NAME; null where it is another. */
export function after(start: string, of: string): string | null {
  if (!of.startsWith(`${start}/`)) return null;
  const rest = of.slice(start.length + 1);
  try {
    return rest === "" ? null : decodeURIComponent(rest);
  } catch {
    return null;
  }
}
