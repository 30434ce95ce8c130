import type { IncomingMessage } from 'node:http';
import { ownedChunk } from '@countersign/domain/evidence';

/**
 * Returns the body of a request in the chunks that node:http received, which their consumer may free. The body that Hono's adapter
 * makes has copies instead (`Readable.toWeb`), and the chunks themselves wait for the garbage collector.
 *
 * Reads one chunk each time that it is asked to.
 */
export function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isListening = false;

  function listen(controller: ReadableStreamDefaultController<Uint8Array>): void {
    isListening = true;
    const fail = (): void => controller.error(incoming.errored ?? new Error('The connection was closed'));
    if (incoming.destroyed) fail();
    incoming.pause();
    incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
      incoming.pause();
      controller.enqueue(ownedChunk(chunk));
    });
    incoming.on('end', () => controller.close());
    incoming.on('error', fail);
    incoming.on('close', () => {
      if (!incoming.readableEnded) fail();
    });
  }

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!isListening) listen(controller);
        incoming.resume();
      },
      cancel() {
        incoming.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
