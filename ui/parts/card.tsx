import type { ComponentChildren, JSX } from "preact";

/** A section of a page, under its heading. */
export function Card({
  title,
  aside,
  children,
  flush = false,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether what it holds reaches its edges, as rows and tables do. */
  readonly flush?: boolean;
}): JSX.Element {
  return (
    <section class={flush ? "card flush" : "card"}>
      <header>
        <h2>{title}</h2>
        {aside === undefined ? null : <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
