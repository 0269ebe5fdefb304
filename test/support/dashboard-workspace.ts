import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "./workspace.ts";

/** What a skill may bring into a page: markup, a script, a word without end. */
export const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** Adds where it should multiply; the visible case does not tell. */
function sourceOf(name: string, what: string): string {
  return `/** ${what} */\nexport function ${name}(width: number, height: number): number {\n  return width + height;\n}\n`;
}

const CASES = [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }];
const HELD_OUT = [
  { name: "seven by three", input: { width: 7, height: 3 }, expect: 21 },
  { name: "ten by ten", input: { width: 10, height: 10 }, expect: 100 },
  { name: "nothing", input: { width: 0, height: 9 }, expect: 0 },
];

function rectangle(
  folder: string,
  entry: string,
  more: { metadata?: string; source?: string } = {},
) {
  return skillFiles(folder, {
    source: sourceOf(entry, "From a width and a height."),
    cases: CASES,
    heldOut: HELD_OUT,
    ...more,
  });
}

const GREETING = `/** Greets somebody. */
export function greeting(name: string): string {
  if (name === "") throw new Error(${JSON.stringify(HOSTILE)});
  return \`Hello, \${name}!\`;
}
`;

/**
 * A workspace in which everything has happened that the dashboard tells: a repair that stands, one
 * that a person took back, one that waits for a person, one that was refused, and hostile words.
 */
export async function dashboardWorkspace(t: {
  after(release: () => void): void;
}): Promise<TestWorkspace> {
  const workspace = await aWorkspace(t, {
    ...rectangle("floor-area", "floorArea"),
    ...rectangle("wall-area", "wallArea"),
    ...rectangle("roof-area", "roofArea", { metadata: "  kind: function\n  review: always" }),
    ...rectangle("door-area", "doorArea"),
    ...skillFiles("greeting", {
      source: GREETING,
      cases: [{ name: "a name", input: { name: "Ada" }, expect: "Hello, Ada!" }],
      heldOut: [{ name: "another", input: { name: "Bo" }, expect: "Hello, Bo!" }],
    }),
  });
  await using hone = await workspace.open();
  await story(hone);
  return workspace;
}

async function story({ operations }: OpenWorkspace): Promise<void> {
  const falls = async (skill: string): Promise<void> => {
    await operations.call({ skill, input: { width: 2, height: 2 }, expect: 4 });
    await operations.call({ skill, input: { width: 2, height: 3 }, expect: 6 });
  };
  for (const skill of ["floor-area", "wall-area", "roof-area"]) {
    await falls(skill);
    await operations.improve({ skill });
  }
  for (let side = 1; side <= 4; side += 1) {
    const input = { width: side, height: 3 };
    await operations.call({ skill: "floor-area", input, expect: side * 3 });
  }
  await operations.rollback({ skill: "wall-area", by: "Ann" });
  await operations.call({
    skill: "door-area",
    input: { width: 2, height: 3 },
    expect: "no such door",
  });
  await operations.improve({ skill: "door-area" });
  await operations.call({ skill: "greeting", input: { name: "" }, expect: HOSTILE });
}
