import { skillFiles } from "./workspace.ts";

/** Adds where it should multiply; the visible case does not tell. */
export const BAD_AREA =
  "/** The area of a rectangle. */\nexport function area(width: number, height: number): number {\n  return width + height;\n}\n";

export const GOOD_AREA = BAD_AREA.replace("+", "*");

/** A small skill with one bug, a visible case that passes, and held-out cases that tell. */
export function areaSkill({
  source = BAD_AREA,
  metadata,
  heldOut = [
    { name: "seven by three", input: { width: 7, height: 3 }, expect: 21 },
    { name: "ten by ten", input: { width: 10, height: 10 }, expect: 100 },
    { name: "nothing", input: { width: 0, height: 9 }, expect: 0 },
  ],
}: {
  readonly source?: string;
  readonly metadata?: string;
  readonly heldOut?: readonly object[];
} = {}): Record<string, string> {
  return skillFiles("area", {
    source,
    cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
    heldOut,
    ...(metadata === undefined ? {} : { metadata }),
  });
}
