import type { JSX } from "preact";
import { short } from "./figures.ts";

/** A skill's name, leading to its page. */
export function SkillLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a class="skill-name" href={`/skills/${encodeURIComponent(name)}`}>
      {name}
    </a>
  );
}

/** An incident's id, leading to its page. */
export function IncidentLink({ id }: { readonly id: string }): JSX.Element {
  return (
    <a class="mono" href={`/incidents/${encodeURIComponent(id)}`}>
      {short(id)}
    </a>
  );
}

/** A commit, short, with the whole of it as its title. */
export function Commit({ id }: { readonly id: string }): JSX.Element {
  return (
    <code class="commit" title={id}>
      {short(id)}
    </code>
  );
}
