import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { imageArchive, imageFingerprint } from "../../../sandbox/docker/image/recipe.ts";
import { boundary, HoneError } from "../../domain/errors.ts";
import type { Store } from "../../ports/store.ts";
import { type Engine, statusCodeOf } from "./engine.ts";
import { unavailable } from "./unavailable.ts";

/** The image that containers are made of. */
export type PinnedImage = {
  /** Digest, as the engine knows it. */
  readonly id: string;
  /** Of the files that it was made from; empty where somebody named it. */
  readonly madeFrom: string;
};

/** Where the image of a workspace is written down. */
export type ImagePin = {
  readonly read: () => PinnedImage | null;
  readonly write: (image: PinnedImage) => void;
};

/** The pin in a workspace's ledger. */
export function pinIn(notes: Pick<Store, "note" | "setNote">): ImagePin {
  return {
    read() {
      const text = notes.note("sandbox-image") ?? "";
      return text === "" ? null : (JSON.parse(text) as PinnedImage);
    },
    write: (image) => notes.setNote("sandbox-image", JSON.stringify(image)),
  };
}

const INSPECT_MS = 10_000;
const LOAD_MS = 180_000;

/**
 * The image to use: the one that is named, else the pinned one, if it is there and was made from
 * this Node; else a new one. Throws `sandbox-unavailable`.
 */
export async function imageFor(
  engine: Engine,
  { named, pin }: { readonly named: string; readonly pin: ImagePin },
): Promise<PinnedImage> {
  if (named !== "") {
    const id = await digestOf(engine, named);
    if (id !== null) return { id, madeFrom: "" };
    throw new HoneError("sandbox-unavailable", `the engine has no image ${named}`, {
      hint: "hone does not pull images: `docker pull` it, or leave `sandbox.image` empty.",
      retryable: true,
    });
  }
  const pinned = pin.read();
  if (pinned !== null && pinned.madeFrom === (await fingerprint())) {
    if ((await digestOf(engine, pinned.id)) === pinned.id) return pinned;
  }
  return await buildImage(engine, pin);
}

/** Makes the image from the Node that runs this, loads it, and pins it. Throws `sandbox-unavailable`. */
export async function buildImage(engine: Engine, pin: ImagePin): Promise<PinnedImage> {
  const madeFrom = await fingerprint();
  const archive = await fromNode("reading Node and its libraries", () =>
    imageArchive(process.execPath),
  );
  const known = await digestOf(engine, archive.tag);
  const id = known ?? (await load(engine, archive));
  const made = { id, madeFrom };
  pin.write(made);
  return made;
}

async function load(
  engine: Engine,
  { read, tag }: Awaited<ReturnType<typeof imageArchive>>,
): Promise<string> {
  const said = await engine.call("load the image", LOAD_MS, async (docker) => {
    const answer = await docker.loadImage(Readable.from(read(), { objectMode: false }), {
      quiet: true,
    });
    return await text(answer as Readable);
  });
  const id = await digestOf(engine, tag);
  if (id === null) throw unavailable(`the engine did not take the image: ${said.slice(0, 500)}`);
  return id;
}

/** The digest of an image; null where the engine does not have it. */
async function digestOf(engine: Engine, name: string): Promise<string | null> {
  try {
    const { Id } = await engine.call("inspect an image", INSPECT_MS, (docker) =>
      docker.getImage(name).inspect(),
    );
    return Id;
  } catch (error) {
    if (statusCodeOf(error) === 404) return null;
    throw error;
  }
}

async function fingerprint(): Promise<string> {
  return await fromNode("looking at Node's libraries", () => imageFingerprint(process.execPath));
}

async function fromNode<T>(what: string, work: () => Promise<T>): Promise<T> {
  if (process.platform !== "linux") {
    throw new HoneError("sandbox-unavailable", "an image can only be made from a Node for Linux", {
      hint: "Name an image that has Node: `sandbox.image`.",
    });
  }
  const hint = "hone needs `ldd` to find what Node needs; or name an image: `sandbox.image`.";
  return await boundary({ code: "sandbox-unavailable", retryable: true, hint }, what, work);
}
