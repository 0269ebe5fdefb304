import type { Model } from "../../ports/model.ts";
import { failed, resolved, unreachable, type Reply } from "./answering.ts";
import type { Wish } from "./request-args.ts";

/** What a skill wants of the model. */
export type ModelWish = Extract<Wish, { kind: "model" }>;

/** Asks the model on behalf of a skill; rejects only when aborted. */
export type AskModel = (wish: ModelWish, signal: AbortSignal) => Promise<Reply>;

/** Tokens of an answer to a skill, at most. */
const MOST_TOKENS = 1_024;

/**
 * The model as the skills of this name may ask it: one prompt, one text, the likeliest. A model that
 * is not there is the world out of reach, and no fault of the skill.
 */
export function askModelFor(model: Pick<Model, "complete"> | null, skill: string): AskModel {
  return async ({ prompt, schema }, signal) => {
    if (model === null) {
      return unreachable("no model is configured: set `model` in hone.yaml, and see `hone doctor`");
    }
    const purpose = { kind: "skill", skill, incident: null } as const;
    const messages = [{ role: "user", content: prompt }] as const;
    const common = { messages, answerSchema: schema, temperature: 0, seed: 1, purpose };
    const completion = await model.complete({ ...common, maxTokens: MOST_TOKENS }, signal);
    switch (completion.status) {
      case "complete":
        return resolved(completion.text === "" ? completion.reasoning : completion.text);
      case "cut-off":
      case "context-truncated":
      case "rejected":
        return failed("ModelError", `${completion.status}: ${completion.reason}`);
      case "unreachable":
      case "over-budget":
        return unreachable(`the model cannot be asked: ${completion.reason}`);
    }
  };
}
