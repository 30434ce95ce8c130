import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drainBody } from '../../forms/receive-file.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Controller = ReadableStreamDefaultController<Uint8Array>;

const readerOf = (source: { pull(controller: Controller): void | Promise<void> }) =>
  new ReadableStream<Uint8Array>(source, { highWaterMark: 0 }).getReader();

describe('drainBody', () => {
  it('reads the rest of a body', async () => {
    let pieces = 0;
    const reader = readerOf({
      pull(controller) {
        pieces += 1;
        if (pieces > 100) controller.close();
        else controller.enqueue(new Uint8Array(1024));
      },
    });
    expect(await drainBody(reader)).toBe(true);
    expect(pieces).toBe(101);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops after 10 seconds', async () => {
    let isDone = false;
    const drained = drainBody(readerOf({ pull: () => new Promise(() => undefined) })).then(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await drained;
    expect(isDone).toBe(true);
  });

  it('ends when the sender has closed the connection', async () => {
    const reader = readerOf({ pull: (controller) => controller.error(new Error('aborted')) });
    await expect(drainBody(reader)).resolves.toBe(false);
  });
});
