import { expect, test } from 'vitest';
import { withTemporaryBytes } from './temporary-bytes.ts';

const MB = 1024 * 1024;

test.each([0, 1, 25 * MB, 40 * MB])(
  'temporary bytes: %i zeros, whose memory is freed afterwards',
  async (size) => {
    const bytes = await withTemporaryBytes(size, async (lent) => {
      expect(lent.byteLength).toBe(size);
      expect(lent.some((byte) => byte !== 0)).toBe(false);
      return lent;
    });
    expect(bytes.buffer.detached).toBe(true);
  },
);

test('temporary bytes: are freed when their use fails', async () => {
  let bytes = new Uint8Array();
  const failed = withTemporaryBytes(10, async (lent) => {
    bytes = lent;
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  expect(bytes.buffer.detached).toBe(true);
});

// glibc gives blocks over 32 MiB back to the system, and keeps smaller ones for later.
test.each([4 * MB, 25 * MB])('temporary bytes: %i come from a block that glibc gives back', async (size) => {
  expect(await withTemporaryBytes(size, async ({ buffer }) => buffer.byteLength)).toBeGreaterThan(32 * MB);
});
