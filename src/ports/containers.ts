import type { Sandbox } from "./sandbox.ts";

/** What is known of the engine that starts containers. */
export type ContainersState =
  | {
      readonly status: "ready";
      /** Such as `Docker 20.10.24`. */
      readonly engine: string;
      /** Version of the low-level runtime; empty where it is not told. */
      readonly runc: string;
      /** Digest or name of the image; empty while none has been made. */
      readonly image: string;
    }
  | { readonly status: "unavailable"; readonly reason: string };

/**
 * The second wall: containers, where there is an engine that starts them. It may go away and come
 * back at any time. `auto`: what is released without it says so; `required`: nothing is.
 */
export interface Containers {
  readonly mode: "auto" | "required";
  /** Rejects with `sandbox-unavailable` while there is no engine. */
  readonly sandbox: Sandbox;
  /** Asks the engine. Resolves in a few seconds, whatever it does. */
  state(): Promise<ContainersState>;
  /** Digest of the image that containers are made of; makes one where there is none. */
  image(): Promise<string>;
  /** Makes the image anew; resolves with its digest. Throws `sandbox-unavailable`. */
  build(): Promise<string>;
  /** Starts containers ahead, where there is an engine. */
  warm(): Promise<void>;
  /** Removes what a process of this workspace left behind that died, if there was one. */
  recover(): Promise<void>;
}
