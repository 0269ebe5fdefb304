import type { RewardPart } from "../../src/domain/reward.ts";
import { DEFAULT_REWARD } from "../../src/domain/reward.ts";
import { DEFAULT_LIMITS, type Skill } from "../../src/domain/skill.ts";

/** A loaded skill of one text parameter, scored by the given parts. */
export function aScoredSkill(parts: readonly RewardPart[] = DEFAULT_REWARD.parts): Skill {
  const source = "export function parsePrice(text) { return 12; }";
  const schema = { type: "string" };
  return {
    name: "parse-price",
    version: "v1",
    description: "Reads a price.",
    manifest: {
      kind: "function",
      capabilities: {},
      reward: { parts, threshold: 1 },
      limits: DEFAULT_LIMITS,
      review: "critical",
    },
    language: "js",
    digest: "digest-of-the-source",
    source,
    program: {
      text: source.replace("export", "      "),
      entry: "parsePrice",
      strict: true,
      takesCtx: false,
    },
    signature: {
      name: "parsePrice",
      parameters: [{ name: "text", optional: false, schema }],
      takesCtx: false,
      isAsync: false,
    },
    inputSchema: { type: "object", properties: { text: schema }, required: ["text"] },
    outputSchema: { type: "number" },
    cases: [],
    files: {},
  };
}
