/** Skills that the measurements need, as files of a workspace. */

function manifestOf(name: string, description: string): string {
  return `---
name: ${name}
description: ${description}
metadata:
  kind: function
  capabilities: {}
  reward:
    threshold: 1
    parts:
      - { use: code, weight: 1, with: {} }
  limits: { timeoutMs: 2000, memoryMb: 64, outputBytes: 4096 }
---
`;
}

/** A skill with nothing to it: what a call of it takes is what hone takes. */
export const TRIVIAL =
  "export function addUp(a: number, b: number): number {\n  return a + b;\n}\n";

export function addUp(): Record<string, string> {
  return {
    "skills/add-up/SKILL.md": manifestOf("add-up", "Adds two numbers."),
    "skills/add-up/skill.ts": TRIVIAL,
    "skills/add-up/cases.jsonl": '{"name":"small","input":{"a":1,"b":2},"expect":3}\n',
  };
}

/** A skill that says which edition of it answers. */
export function edition(number: number): Record<string, string> {
  return {
    "skills/edition/SKILL.md": manifestOf("edition", "Says which edition of itself answers."),
    "skills/edition/skill.ts": `/** Edition ${number}. */
export function edition(of: string): number {
  return of === "this" ? ${number} : 0;
}
`,
    "skills/edition/cases.jsonl": '{"name":"another","input":{"of":"that"},"expect":0}\n',
  };
}

/** A skill with a fault that its cases do not show; what it is given in `FAULT` does. */
export function faulty(): Record<string, string> {
  const cases = [
    { name: "inside", input: { value: 5, low: 1, high: 9 }, expect: 5 },
    { name: "below", input: { value: 0, low: 1, high: 9 }, expect: 1 },
    { name: "at the lower end", input: { value: 1, low: 1, high: 9 }, expect: 1 },
  ];
  return {
    "skills/clamp/SKILL.md": manifestOf("clamp", "Keeps a number within two others."),
    "skills/clamp/skill.ts": `export function clamp(value: number, low: number, high: number): number {
  if (value < low) return low;
  if (value > high) return low;
  return value;
}
`,
    "skills/clamp/cases.jsonl": linesOf(cases),
  };
}

/** Cases of \`clamp\` that no proposer sees. */
export function heldOut(): Record<string, string> {
  const cases = [
    { name: "above, apart", input: { value: 70, low: -3, high: 12 }, expect: 12 },
    { name: "below, apart", input: { value: -70, low: -3, high: 12 }, expect: -3 },
    { name: "inside, apart", input: { value: 7, low: -3, high: 12 }, expect: 7 },
  ];
  return { "data/held-out/clamp.jsonl": linesOf(cases) };
}

export const FAULT = { input: { value: 12, low: 1, high: 9 }, expect: 9 };

function linesOf(cases: readonly object[]): string {
  return cases.map((each) => `${JSON.stringify(each)}\n`).join("");
}
