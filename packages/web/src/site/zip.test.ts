import { buffer } from 'node:stream/consumers';
import type { ArchiveEntry } from '@countersign/domain/exports';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { describe, expect, it } from 'vitest';
import { downloadStream } from './download-stream.ts';
import { zipDownload } from './zip.ts';

const AT = new Date('2026-03-01T10:00:00.000Z');

const never = (fault: unknown): void => {
  throw fault;
};

function zipStream(entries: AsyncGenerator<ArchiveEntry>, onFault: (fault: unknown) => void) {
  return downloadStream(zipDownload('a.zip', entries).parts, onFault);
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return buffer(stream);
}

async function* these(...entries: Partial<ArchiveEntry>[]): AsyncGenerator<ArchiveEntry> {
  for (const entry of entries) yield { name: 'a.txt', content: '', lastModified: AT, ...entry };
}

describe('a zip', () => {
  it('a zip is read by another library: names, contents and times', async () => {
    const picture = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256);
    const stream = zipStream(
      these(
        { name: 'index.html', content: '<p>Grüße, 你好</p>' },
        { name: 'files/front.jpg', content: picture },
        { name: 'empty.txt' },
      ),
      never,
    );
    const files = await readZip(await bytesOf(stream));
    expect(files.map(({ name }) => name)).toEqual(['index.html', 'files/front.jpg', 'empty.txt']);
    expect(files[0]?.content.toString()).toBe('<p>Grüße, 你好</p>');
    expect(files[1]?.content).toEqual(Buffer.from(picture));
    expect(files[2]?.content).toHaveLength(0);
    expect(files.map(({ lastModified }) => lastModified.getTime())).toEqual([AT, AT, AT].map(Number));
  });

  it('asks for a file only when the one before was taken', async () => {
    let asked = 0;
    async function* entries() {
      for (let number = 1; number <= 20; number += 1) {
        asked = number;
        yield { name: `${number}.bin`, content: new Uint8Array(1_000).fill(number), lastModified: AT };
      }
    }
    const reader = zipStream(entries(), never).getReader();
    await settled();
    expect(asked).toBeLessThanOrEqual(1);
    let taken = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.length === 1_000) taken += 1;
      await settled();
      expect(asked - taken).toBeLessThanOrEqual(1);
    }
    expect(taken).toBe(20);
  });

  it('a file that fails breaks the stream off before the directory of the zip, and the reader learns nothing of the fault', async () => {
    const faults: unknown[] = [];
    async function* entries() {
      yield* these({ name: 'a.txt', content: 'whole' });
      throw new Error('disk 10.0.0.7 lost');
    }
    const reader = zipStream(entries(), (fault) => void faults.push(fault)).getReader();
    const sent: Uint8Array[] = [];
    const read = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) sent.push(next.value);
    };
    await expect(read()).rejects.toThrow(/^The download broke off$/);
    expect(faults.map(String)).toEqual(['Error: disk 10.0.0.7 lost']);
    expect(Buffer.concat(sent).toString('latin1')).toContain('whole');
    await expect(readZip(Buffer.concat(sent))).rejects.toThrow(
      'End of central directory record signature not found',
    );
  });

  it('stops reading files when the reader leaves, without a fault', async () => {
    let isOver = false;
    async function* entries() {
      try {
        for (let number = 1; ; number += 1) yield* these({ name: `${number}.txt`, content: 'text' });
      } finally {
        isOver = true;
      }
    }
    const reader = zipStream(entries(), never).getReader();
    await reader.read();
    await reader.cancel();
    expect(isOver).toBe(true);
  });

  it.each([
    '../a.txt',
    '/a.txt',
    'a/../b.txt',
    'a\\b.txt',
    '.hidden',
    'C:a.txt',
    'a//b.txt',
    'a\0.txt',
    '',
    'a.',
    'ä.txt',
  ])('refuses the name %j', async (name) => {
    const faults: unknown[] = [];
    const stream = zipStream(these({ name }), (fault) => void faults.push(fault));
    await expect(bytesOf(stream)).rejects.toThrow('The download broke off');
    expect(faults).toHaveLength(1);
  });

  it('refuses a second file of the same name, in upper or lower case', async () => {
    const stream = zipStream(these({ name: 'files/a.jpg' }, { name: 'files/A.jpg' }), () => undefined);
    await expect(bytesOf(stream)).rejects.toThrow('The download broke off');
  });
});

/** Lets everything that runs without the reader come to its end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
