/** Bytes of content that are passed on together: so much of a paused download waits outside its generator. */
const PART_BYTES = 1024 * 1024;

/** Passes content on in parts. */
export async function* partsOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.byteLength; start += PART_BYTES) {
    yield content.subarray(start, start + PART_BYTES);
  }
}

/** What is called about the parts of a download. */
export interface PartsWatcher {
  /** Receives what breaks the download off. */
  readonly onFault?: (fault: unknown) => void;
  /** Called when the last part was taken, a part failed or the reader left: also before it has asked for a part. */
  readonly onEnd?: () => void;
}

/**
 * Passes parts on and watches them. A generator function would not notice a reader that leaves before the first part.
 *
 * @returns parts that throw what the parts throw
 */
export function watchedParts(
  parts: AsyncGenerator<Uint8Array>,
  { onFault, onEnd }: PartsWatcher,
): AsyncGenerator<Uint8Array> {
  async function watched(
    step: () => Promise<IteratorResult<Uint8Array>>,
  ): Promise<IteratorResult<Uint8Array, undefined>> {
    try {
      const result = await step();
      if (result.done === true) onEnd?.();
      return result as IteratorResult<Uint8Array, undefined>;
    } catch (fault) {
      onFault?.(fault);
      onEnd?.();
      throw fault;
    }
  }

  return {
    next: () => watched(() => parts.next()),
    return: () => watched(() => parts.return(undefined)),
    throw: (error) => watched(() => parts.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
