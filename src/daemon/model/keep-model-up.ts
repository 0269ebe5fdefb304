import { messageOf } from "../../domain/errors.ts";
import { modelDown, modelStatus, startSupervisor, type ModelPlace } from "./model-service.ts";

export type KeepSettings = {
  /** Told of a server that could not be started or was lost, in one sentence. */
  readonly onTrouble: (sentence: string) => void;
  /** Between two looks, in milliseconds; after a failure the pause doubles. */
  readonly everyMs?: number;
};

const EVERY_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * Has the workspace's model server run while this process does: starts its supervisor, and another
 * one when that is lost or has given up, after growing pauses. One that was up before is not ended at
 * the end, and one that a person took down stays down.
 */
export function keepModelUp(
  place: ModelPlace,
  { onTrouble, everyMs = EVERY_MS }: KeepSettings,
): AsyncDisposable {
  let isOurs = false;
  let pauseMs = everyMs;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const begin = (): void => {
    isOurs = true;
    startSupervisor(place);
  };
  const look = async (isFirst: boolean): Promise<void> => {
    const { state, supervisor, reason } = await modelStatus(place.dir);
    if (isFirst && supervisor === null) begin();
    if (isFirst || !["failed", "lost"].includes(state)) {
      if (state === "ready") pauseMs = everyMs;
      return;
    }
    onTrouble(`the model server is ${state}${reason === "" ? "" : `: ${reason}`}`);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    begin();
  };
  const again = (isFirst: boolean): void => {
    looking = look(isFirst)
      .catch((thrown: unknown) => onTrouble(`the model server: ${messageOf(thrown)}`))
      .then(() => {
        timer = setTimeout(() => again(false), pauseMs).unref();
      });
  };
  again(true);
  return {
    async [Symbol.asyncDispose]() {
      await looking;
      clearTimeout(timer);
      if (isOurs) await modelDown(place);
    },
  };
}
