import { freeChunk } from '@countersign/domain/evidence';

/**
 * The chunks of a form's body whose bytes its parser may still hold, to free them once the file in them was consumed. Outside a
 * file it holds only the last chunk: the garbage collector frees the others.
 */
export class HeldChunks {
  readonly #held: { readonly chunk: Uint8Array; readonly end: number }[] = [];
  #isInFile = false;
  /** The size of all chunks so far, in bytes. */
  size = 0;

  add(chunk: Uint8Array): void {
    if (!this.#isInFile) this.#held.length = 0;
    this.size += chunk.byteLength;
    this.#held.push({ chunk, end: this.size });
  }

  /** Notes that the file begins in the last chunk. */
  beginFile(): void {
    this.#isInFile = true;
  }

  endFile(): void {
    this.#isInFile = false;
    this.#held.length = 0;
  }

  /**
   * Frees the chunks whose part of the file was consumed.
   * @param bytes of the file. At least as many of the body were consumed, because the file has headers before it
   */
  freeUntil(bytes: number): void {
    for (let [first] = this.#held; first !== undefined && first.end <= bytes; [first] = this.#held) {
      freeChunk(first.chunk);
      this.#held.shift();
    }
  }
}
