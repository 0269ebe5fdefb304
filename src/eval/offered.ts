import type { Edit } from "../domain/candidate.ts";
import type { Case } from "../domain/case.ts";
import type { Proposer } from "../ports/proposer.ts";
import type { Skill } from "../domain/skill.ts";

/**
 * Candidates that must never be released, whatever they are offered for: nothing, the same, a
 * comment, and the visible answers by heart. The gate's own control (A/A test).
 */
export const offeredProposer: Proposer = {
  name: "offered",
  async *propose({ skill, seed }) {
    for (const [operator, edits] of controls(skill)) {
      yield {
        kind: "proposal",
        proposal: {
          edits,
          origin: { proposer: "offered", operator, seed, parent: null },
          reason: `control: ${operator}`,
        },
      };
    }
  },
};

function controls(skill: Skill): readonly (readonly [string, readonly Edit[]])[] {
  const { name } = skill.signature;
  const body = (code: string): readonly Edit[] => [{ op: "body", target: name, code }];
  const whole = (code: string): readonly Edit[] => [{ op: "replace", target: "*", code }];
  return [
    ["null", body("return null;")],
    ["identical", whole(skill.source)],
    ["comment-only", whole(`${skill.source}\n// reviewed, nothing to change\n`)],
    ["literal-answers", body(byHeart(skill))],
  ];
}

/** The visible answers as a table of literals. */
function byHeart({ signature, cases }: Skill): string {
  const given = `JSON.stringify([${signature.parameters.map(({ name }) => name).join(", ")}])`;
  const lines = cases.map(
    (of) => `if (given === ${JSON.stringify(JSON.stringify(of.args))}) ${answer(of)}`,
  );
  return [`const given = ${given};`, ...lines, "return null;"].join("\n  ");
}

function answer({ expectation }: Case): string {
  switch (expectation.kind) {
    case "value":
      return `return ${JSON.stringify(expectation.value)};`;
    case "throws":
      return `throw new Error(${JSON.stringify(expectation.message)});`;
    case "reward":
      return "return null;";
  }
}
