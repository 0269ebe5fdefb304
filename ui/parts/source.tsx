import type { JSX } from "preact";
import type { Suspicious } from "../api/records.ts";

/** Lines that are shown around one that is suspicious. */
const AROUND = 4;

/** A source of up to so many lines is shown whole. */
const SHORT = 40;

/** The source, with the lines in which the fault may lie marked by how likely that is. */
export function Source({
  text,
  suspicious,
}: {
  readonly text: string;
  readonly suspicious: readonly Suspicious[];
}): JSX.Element {
  const lines = text.replace(/\n$/, "").split("\n");
  const scores = new Map(suspicious.map(({ line, score }) => [line, score]));
  const isShown = (line: number): boolean =>
    lines.length <= SHORT || suspicious.some((one) => Math.abs(one.line - line) <= AROUND);
  return (
    <div class="scroll source" tabIndex={0} role="group" aria-label="Source">
      <table class="code">
        <tbody>
          {lines.map((line, at) => {
            const number = at + 1;
            if (isShown(number))
              return <Line key={number} number={number} text={line} score={scores.get(number)} />;
            return isShown(number - 1) ? <Gap key={number} /> : null;
          })}
        </tbody>
      </table>
    </div>
  );
}

function Line({
  number,
  text,
  score,
}: {
  readonly number: number;
  readonly text: string;
  readonly score: number | undefined;
}): JSX.Element {
  const heat = score === undefined ? "" : score >= 0.66 ? "hot" : score >= 0.33 ? "warm" : "mild";
  return (
    <tr class={heat}>
      <td class="line-no">{number}</td>
      <td class="score">{score === undefined ? "" : score.toFixed(2)}</td>
      <td class="text">{text}</td>
    </tr>
  );
}

function Gap(): JSX.Element {
  return (
    <tr class="gap">
      <td colSpan={3}>⋯</td>
    </tr>
  );
}
