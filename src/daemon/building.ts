import { HoneError } from "../domain/errors.ts";
import type { Operations } from "../ports/operations.ts";
import type { Workspace } from "./workspace.ts";

/** The operation that makes the image of the containers. */
export function buildingOf({ house }: Workspace): Pick<Operations, "buildSandbox"> {
  return {
    async buildSandbox() {
      if (house.containers === null) {
        throw new HoneError("refused", "containers are off in this workspace", {
          hint: "Set `docker: auto` or `docker: required`.",
        });
      }
      const image = await house.containers.build();
      house.tell("sandbox.built", null, { image });
      return { schemaVersion: 1, image };
    },
  };
}
