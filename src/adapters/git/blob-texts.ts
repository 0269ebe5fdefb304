import { HoneError } from "../../domain/errors.ts";
import { objectId } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";

const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Texts of blobs, remembered by blob id: what an id stands for never changes. */
export class BlobTexts {
  readonly #reader: ObjectReader;
  /** In the order of their last use, which is the order in which they are forgotten. */
  readonly #known = new Map<string, string>();
  #characters = 0;

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  /** BOM and line ends as they are. Rejects with `not-found`, or `git-failed` if it is not UTF-8. */
  async text(blob: string): Promise<string> {
    const text = await this.textOrNull(blob);
    if (text !== null) return text;
    throw new HoneError("git-failed", `the blob ${blob} is not UTF-8 text`, {
      hint: "Save the file as UTF-8 and commit it.",
    });
  }

  /** The same; null for a blob that is not UTF-8. */
  async textOrNull(blob: string): Promise<string | null> {
    const known = this.#known.get(blob);
    if (known !== undefined) this.#known.delete(blob);
    const text = known ?? (await this.#read(blob));
    if (text === null) return null;
    this.#known.set(blob, text);
    if (known === undefined) this.#remember(text);
    return text;
  }

  async #read(blob: string): Promise<string | null> {
    const object = await this.#reader.read(objectId(blob));
    if (object?.type === "blob") return textOf(object.bytes);
    throw new HoneError("not-found", `there is no blob ${blob} in the repository`, {
      hint: "Run `git fsck` in the workspace's repository.",
    });
  }

  #remember(text: string): void {
    this.#characters += text.length;
    for (const [blob, oldest] of this.#known) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#known.delete(blob);
      this.#characters -= oldest.length;
    }
  }
}

/** Strict: a text that lost bytes on the way in would lose them for good on the way out. */
function textOf(bytes: Buffer): string | null {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}
