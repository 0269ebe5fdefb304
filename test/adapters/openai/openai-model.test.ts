import { modelContract } from "../../contracts/model.contract.ts";
import { modelServer } from "../../support/model-server.ts";
import { modelAt } from "../../support/models.ts";

modelContract("openai", {
  make: async () => {
    const server = await modelServer({
      kind: "vllm",
      answers: ({ body }) => {
        const words = Math.min(Number(body["max_tokens"]), 30);
        return {
          text: "word ".repeat(words).trim(),
          finish: words < 30 ? "length" : "stop",
          usage: { prompt_tokens: 12, completion_tokens: words },
        };
      },
    });
    const model = modelAt(server.url);
    return {
      card: async (signal) => await model.card(signal),
      complete: async (request, signal) => await model.complete(request, signal),
      async [Symbol.asyncDispose]() {
        await model[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
});
