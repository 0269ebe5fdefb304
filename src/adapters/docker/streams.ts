/** A piece of one of a container's streams. */
export type Piece = { readonly stream: "stdout" | "stderr"; readonly bytes: Buffer };

/** An engine sends pieces of 32 KB; what announces more than this is none. */
const LONGEST_PIECE = 16 * 2 ** 20;

/**
 * Takes an attached stream apart: pieces with a header of eight bytes, the number of the stream and
 * the length (Docker Engine API, "Stream format"). Null from the first thing that is no header on.
 */
export class Demultiplexer {
  #held: Buffer = Buffer.alloc(0);
  #isBroken = false;

  push(chunk: Buffer): readonly Piece[] | null {
    if (this.#isBroken) return null;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const pieces: Piece[] = [];
    while (this.#held.length >= 8) {
      const number = this.#held[0] ?? 0;
      const length = this.#held.readUInt32BE(4);
      this.#isBroken = number > 2 || length > LONGEST_PIECE;
      if (this.#isBroken) return null;
      if (this.#held.length < 8 + length) break;
      const bytes = this.#held.subarray(8, 8 + length);
      pieces.push({ stream: number === 2 ? "stderr" : "stdout", bytes });
      this.#held = this.#held.subarray(8 + length);
    }
    return pieces;
  }
}
