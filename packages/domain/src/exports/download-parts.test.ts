import { describe, expect, it, test } from 'vitest';
import { collected } from '../../test-support/collected.ts';
import { partsOf, watchedParts } from './download-parts.ts';

const MIB = 1_048_576;

test.each([
  [0, []],
  [1, [1]],
  [MIB, [MIB]],
  [MIB + 1, [MIB, 1]],
  [2 * MIB, [MIB, MIB]],
])('partsOf: content of %i bytes is passed on in parts of at most 1 MiB', async (bytes, lengths) => {
  const parts = await collected(partsOf(new Uint8Array(bytes)));
  expect(parts.map(({ byteLength }) => byteLength)).toEqual(lengths);
});

describe('watchedParts', () => {
  const two = () => partsOf(new Uint8Array(MIB + 1));
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    throw new Error('broken off');
  }

  function watched(parts: AsyncGenerator<Uint8Array>) {
    const seen: unknown[] = [];
    const onFault = (fault: unknown) => seen.push(fault);
    return { seen, parts: watchedParts(parts, { onFault, onEnd: () => seen.push('end') }) };
  }

  it('watchedParts: the end is reported once the last part was taken', async () => {
    const { seen, parts } = watched(two());
    await parts.next();
    await parts.next();
    expect(seen).toEqual([]);
    expect(await parts.next()).toEqual({ done: true, value: undefined });
    expect(seen).toEqual(['end']);
  });

  it('watchedParts: a reader that leaves before the first part is reported', async () => {
    const { seen, parts } = watched(two());
    await parts.return(undefined);
    expect(seen).toEqual(['end']);
  });

  it('watchedParts: what breaks the parts off is reported, then their end, and is thrown', async () => {
    const { seen, parts } = watched(broken());
    await parts.next();
    await expect(parts.next()).rejects.toThrow('broken off');
    expect(seen).toEqual([new Error('broken off'), 'end']);
  });

  it('watchedParts: what the reader throws reaches the parts', async () => {
    const { seen, parts } = watched(two());
    await parts.next();
    await expect(parts.throw(new Error('left'))).rejects.toThrow('left');
    expect(seen).toEqual([new Error('left'), 'end']);
  });

  it('watchedParts: parts need no watcher', async () => {
    expect(await collected(watchedParts(two(), {}))).toHaveLength(2);
    await expect(collected(watchedParts(broken(), {}))).rejects.toThrow('broken off');
  });
});
