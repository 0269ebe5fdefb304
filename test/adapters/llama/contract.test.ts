import { createEmbeddedModel } from "../../../src/adapters/llama/embedded-model.ts";
import { modelContract } from "../../contracts/model.contract.ts";
import { SMALL_GGUF, withoutEmbedded } from "../../support/small-model.ts";

modelContract("embedded", {
  make: async () =>
    createEmbeddedModel({
      gguf: SMALL_GGUF,
      timeoutMs: 120_000,
      env: process.env,
      now: Date.now,
    }),
  skip: withoutEmbedded() || null,
});
