import type { JSX } from "preact";
import type { Status } from "../api/answers.ts";
import { connection } from "../api/live.ts";
import { useAnswer } from "../api/use-answer.ts";
import { isHelpOpen, PLACES } from "../state/keys.ts";
import { path } from "../state/route.ts";
import { nextTheme, theme } from "../state/theme.ts";

/** Where one can go, how the daemon is connected, and the colours. */
export function Navigation(): JSX.Element {
  const status = useAnswer<Status>("status");
  const waiting = status.value.data?.waiting.length ?? 0;
  const open = status.value.data?.openIncidents ?? 0;
  const counts: Readonly<Record<string, number>> = { "/review": waiting, "/incidents": open };
  return (
    <header class="side">
      <a class="brand" href="/">
        <img src="/icon.svg" width="20" height="20" alt="" />
        hone
      </a>
      <nav aria-label="Pages">
        {Object.values(PLACES).map(([to, name]) => (
          <a key={to} href={to} aria-current={isHere(to) ? "page" : undefined}>
            <span>{name}</span>
            {(counts[to] ?? 0) > 0 ? <Count of={to} count={counts[to] ?? 0} /> : null}
          </a>
        ))}
      </nav>
      <footer>
        <Connection />
        <span class="buttons">
          <button
            type="button"
            class="quiet"
            onClick={nextTheme}
            title="Colours: system, light, dark"
          >
            <span aria-hidden="true">◐</span> {theme.value}
          </button>
          <button
            type="button"
            class="quiet"
            title="Keys (?)"
            aria-label="Keys"
            onClick={() => {
              isHelpOpen.value = true;
            }}
          >
            ?
          </button>
        </span>
      </footer>
    </header>
  );
}

function Count({ of, count }: { readonly of: string; readonly count: number }): JSX.Element {
  return <span class={of === "/review" ? "count accent" : "count"}>{count}</span>;
}

function Connection(): JSX.Element {
  const state = connection.value;
  const said = { connecting: "connecting", open: "live", lost: "disconnected" }[state];
  return (
    <span class={`connection ${state}`} role="status">
      <i aria-hidden="true" />
      {said}
    </span>
  );
}

function isHere(to: string): boolean {
  return to === "/" ? path.value === "/" : path.value === to || path.value.startsWith(`${to}/`);
}
