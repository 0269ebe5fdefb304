import { messageOf } from "../../domain/errors.ts";
import { loadModel, type LoadedModel } from "./loaded-model.ts";
import type { Asked, FromModel, ToModel } from "./protocol.ts";

/**
 * The process of an embedded model. It reads no file but the model's and has no environment but
 * what finds a GPU. It ends with its owner, by a kill: the library's threads wait for nobody.
 */
const running = new Map<number, AbortController>();
let model: Promise<LoadedModel> | null = null;

process.on("message", (message: ToModel) => {
  switch (message.kind) {
    case "load":
      model = loadModel(message.gguf, message.sequences);
      model.then(
        ({ facts }) => tell({ kind: "loaded", facts }),
        (thrown: unknown) => tell({ kind: "failed", reason: messageOf(thrown) }),
      );
      return;
    case "complete":
      void complete(message.id, message.asked);
      return;
    case "stop":
      running.get(message.id)?.abort();
  }
});

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

async function complete(id: number, asked: Asked): Promise<void> {
  const stopping = new AbortController();
  running.set(id, stopping);
  try {
    if (model === null) throw new Error("nothing is loaded");
    const answer = await (await model).generate(asked, stopping.signal);
    tell({ kind: "answered", id, answer });
  } catch (thrown) {
    if (stopping.signal.aborted) tell({ kind: "stopped", id });
    else tell({ kind: "answered", id, answer: { status: "failed", reason: messageOf(thrown) } });
  } finally {
    running.delete(id);
  }
}

function tell(message: FromModel): void {
  if (process.connected) process.send?.(message);
}
