import type { JSX } from "preact";
import { Badge } from "./badge.tsx";
import { Empty } from "./loaded.tsx";

type Granted = Readonly<Record<string, unknown>>;

/** What a skill may reach beyond its arguments. */
export function Capabilities({ of }: { readonly of: unknown }): JSX.Element {
  const granted = Object.entries((of ?? {}) as Granted).filter(([, value]) => isGranted(value));
  if (granted.length === 0) return <Empty>Nothing: it works on its arguments alone.</Empty>;
  return (
    <dl class="facts-list">
      {granted.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="wrap">{told(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function isGranted(value: unknown): boolean {
  return value !== false && !(Array.isArray(value) && value.length === 0);
}

function told(value: unknown): JSX.Element {
  if (value === true) return <Badge>granted</Badge>;
  const items = Array.isArray(value) ? value : [value];
  return (
    <>
      {items.map((item) => {
        const text = typeof item === "string" ? item : JSON.stringify(item);
        return (
          <code key={text} class="item">
            {text}
          </code>
        );
      })}
    </>
  );
}
