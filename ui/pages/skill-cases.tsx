import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Skill } from "../api/answers.ts";
import { Card } from "../parts/card.tsx";
import { count } from "../parts/figures.ts";
import { Empty } from "../parts/loaded.tsx";
import { brief, wanted } from "../parts/json.tsx";

const isAll = signal(false);

const FEW = 12;

/** What the skill must do: the cases in its folder. Those that are held out are not shown to anyone. */
export function Cases({ cases }: Pick<Skill, "cases">): JSX.Element {
  const shown = isAll.value ? cases : cases.slice(0, FEW);
  return (
    <Card title="Cases" aside={<span class="muted">{count(cases.length)}</span>} flush>
      {cases.length === 0 ? (
        <Empty>No case: nothing but its types says what it must do.</Empty>
      ) : (
        <ul class="rows">
          {shown.map(({ name, args, expectation }) => (
            <li key={name} class="row">
              <strong class="wrap">{name}</strong>
              <span class="row-text mono clamp">{brief(args)}</span>
              <span class="row-text muted mono clamp">→ {wanted(expectation)}</span>
            </li>
          ))}
        </ul>
      )}
      {cases.length <= FEW ? null : (
        <div class="inside">
          <button type="button" onClick={() => (isAll.value = !isAll.value)}>
            {isAll.value ? "Show fewer" : `Show all ${cases.length}`}
          </button>
        </div>
      )}
    </Card>
  );
}
