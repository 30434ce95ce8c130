import { setImmediate as othersTurn } from 'node:timers/promises';

/**
 * Makes the body of a download. A chunk is made only when the reader pulls, and none after the reader has left. If making
 * one fails, the stream fails, so that no reader takes a part for the whole.
 *
 * @param onFault gets the fault; the reader of the stream gets a general error
 */
export function downloadStream(
  chunks: AsyncGenerator<Uint8Array>,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          // A fast reader would otherwise block every other request until the end.
          await othersTurn();
          // The reader left while the chunk was made. That is not a fault, and the stream takes no more.
          if (isCancelled) return;
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (fault) {
          onFault(fault);
          controller.error(new Error('The download broke off'));
        }
      },
      async cancel() {
        isCancelled = true;
        await chunks.return(undefined);
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}
