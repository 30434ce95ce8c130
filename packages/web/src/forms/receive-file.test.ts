import { setImmediate } from 'node:timers/promises';
import { CountersignError } from '@countersign/domain';
import { freeChunk, ownedChunk } from '@countersign/domain/evidence';
import { describe, expect, it } from 'vitest';
import { fieldPart, filePart, formBytes, formRequest } from '../../test-support/upload-body.ts';
import { receiveFormFile } from './receive-file.ts';

/** Reads the whole file, as an intake does. */
async function takeAll(upload: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of upload) pieces.push(piece);
  return Buffer.concat(pieces);
}

const random = (size: number) => Buffer.from(Array.from({ length: size }, (_, at) => (at * 7919) % 251));

/** Waits until all pending callbacks have run. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

describe('a form with one file', () => {
  it.each([1, 7, 70, 16_384])('passes on the bytes as sent, in chunks of %i', async (step) => {
    const content = Buffer.concat([random(5000), Buffer.from('\r\n--'), random(300), Buffer.from('\r\n')]);
    const request = formRequest(formBytes(filePart(content)), { step });
    expect((await receiveFormFile(request, takeAll)).equals(content)).toBe(true);
  });

  it('ignores fields, names and the declared type', async () => {
    const file = {
      ...filePart('abc', '../../etc/passwd'),
      headers: [
        'Content-Disposition: form-data; name="__proto__"; filename="../../etc/passwd"',
        'Content-Type: text/html',
      ],
    };
    const request = formRequest(formBytes(fieldPart('a', 'b'), file, fieldPart('c', 'd')));
    expect((await receiveFormFile(request, takeAll)).toString()).toBe('abc');
  });

  it('passes on its fields, before and after the file, cut to 1024 bytes', async () => {
    const fields: string[][] = [];
    const parts = [fieldPart('a', 'ä'), filePart('abc'), fieldPart('b', 'b'.repeat(2000)), fieldPart('a', '')];
    const onField = (...field: string[]): void => void fields.push(field.slice(0, 2));
    await receiveFormFile(formRequest(formBytes(...parts)), takeAll, { onField });
    expect(fields).toEqual([
      ['a', 'ä'],
      ['b', 'b'.repeat(1024)],
      ['a', ''],
    ]);
  });

  it('is read no faster than the file is consumed', async () => {
    const request = formRequest(formBytes(filePart(random(4_000_000))));
    const gate = Promise.withResolvers<void>();
    const received = receiveFormFile(request, async (upload) => {
      await gate.promise;
      return takeAll(upload);
    });
    await turns(100);
    expect(request.readBytes()).toBeLessThan(300_000);
    gate.resolve();
    expect((await received).byteLength).toBe(4_000_000);
  });
});

describe('the memory of a form', () => {
  const content = Buffer.concat([random(300_000), Buffer.from('\r\n--'), random(50_000)]);
  const bytes = formBytes(fieldPart('before', 'abc'), filePart(content), fieldPart('after', 'abc'));
  /** The body in chunks of its own, as node:http receives it. */
  const chunksOf = (step: number) =>
    Array.from({ length: Math.ceil(bytes.byteLength / step) }, (_, n) =>
      Uint8Array.from(bytes.subarray(n * step, (n + 1) * step)),
    );
  const formOf = (chunks: readonly Uint8Array[]) => ({
    headers: formRequest(bytes).headers,
    body: ReadableStream.from<Uint8Array>(chunks),
  });

  it.each([100, 1000, 29_696, 65_536])(
    'a body in chunks of %i that may be freed is freed while the file is consumed, and the file is whole',
    async (step) => {
      const chunks = chunksOf(step);
      const isFreed = () => chunks.map(({ buffer }) => buffer.detached);
      const held: number[] = [];
      let sent = 0;
      async function* sending(): AsyncGenerator<Uint8Array> {
        for (const chunk of chunks) {
          sent += 1;
          yield ownedChunk(chunk);
        }
      }
      const form = { headers: formRequest(bytes).headers, body: ReadableStream.from(sending()) };
      const received = await receiveFormFile(form as Pick<Request, 'headers' | 'body'>, async (upload) => {
        const pieces: Buffer[] = [];
        for await (const piece of upload) {
          pieces.push(Buffer.from(piece));
          freeChunk(piece);
          expect(piece.byteLength).toBe(0);
          held.push(sent - isFreed().filter(Boolean).length);
        }
        return Buffer.concat(pieces);
      });
      expect(received.equals(content)).toBe(true);
      // The parser holds a window of the file, and the streams before it a chunk each.
      expect(Math.max(...held) * step).toBeLessThan(150_000 + 4 * step);
    },
  );

  it('a body that its sender may still need is left alone', async () => {
    const chunks = chunksOf(10_000);
    const expected = Buffer.concat(chunks);
    expect((await receiveFormFile(formOf(chunks), takeAll)).equals(content)).toBe(true);
    expect(Buffer.concat(chunks).equals(expected)).toBe(true);
  });

  it('a body that may be freed is freed when the file is refused', async () => {
    const chunks = chunksOf(10_000).map(ownedChunk);
    const received = receiveFormFile(formOf(chunks), async () => {
      throw new CountersignError('STEP_OUT_OF_TURN', 'not now');
    });
    await expect(received).rejects.toMatchObject({ code: 'STEP_OUT_OF_TURN' });
    // The parser got the first ones.
    expect(chunks.filter(({ byteLength }) => byteLength > 0).length).toBeLessThan(10);
  });
});

describe('an invalid form', () => {
  const good = formBytes(filePart('abc'));
  const cases: readonly [what: string, code: string, bytes: Uint8Array, options?: { type?: string }][] = [
    ['two files', 'SEVERAL_FILES', formBytes(filePart('abc'), filePart('def'))],
    ['no file but a field', 'FILE_MISSING', formBytes(fieldPart('file', 'abc'))],
    ['a file input that was left alone', 'FILE_MISSING', formBytes(filePart('', ''))],
    ['no parts', 'FILE_MISSING', formBytes()],
    ['nothing at all', 'UPLOAD_BROKEN', Buffer.alloc(0)],
    ['another boundary', 'UPLOAD_BROKEN', good, { type: 'multipart/form-data; boundary=other' }],
    ['no boundary', 'UPLOAD_BROKEN', good, { type: 'multipart/form-data' }],
    ['an empty boundary', 'FILE_MISSING', good, { type: 'multipart/form-data; boundary=' }],
    ['another type', 'UPLOAD_BROKEN', good, { type: 'application/x-www-form-urlencoded' }],
    ['an end within the file', 'UPLOAD_BROKEN', good.subarray(0, -20)],
    ['an end within the headers', 'UPLOAD_BROKEN', good.subarray(0, 40)],
    ['an end before the last two dashes', 'UPLOAD_BROKEN', good.subarray(0, -4)],
    [
      'too many fields',
      'UPLOAD_BROKEN',
      formBytes(filePart('abc'), ...Array.from('1234567890a', (n) => fieldPart(n, n))),
    ],
    ['a part without headers', 'FILE_MISSING', formBytes({ content: 'abc' })],
    ['headers without an end', 'UPLOAD_BROKEN', Buffer.from(`------given\r\nA: ${'a'.repeat(100_000)}`)],
  ];

  it.each(cases)('with %s is refused: %s', async (_what, code, bytes, options) => {
    for (const step of [1, 16_384]) {
      let finished = false;
      const received = receiveFormFile(formRequest(bytes, { step, ...options }), async (upload) => {
        await takeAll(upload);
        finished = true;
      });
      await expect(received).rejects.toMatchObject({ name: 'FormRefused', code });
      expect(finished).toBe(false);
    }
  });

  it('that ends early is refused, and the consumer of the file gets the error', async () => {
    const bytes = formBytes(filePart(random(100_000)));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.subarray(0, 50_000)),
      pull: (controller) => controller.error(new Error('aborted')),
    });
    let rejection: unknown;
    const received = receiveFormFile({ headers: formRequest(bytes).headers, body }, (upload) =>
      takeAll(upload).catch((error: unknown) => {
        rejection = error;
        throw error;
      }),
    );
    await expect(received).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' });
    expect(rejection).toMatchObject({ code: 'UPLOAD_BROKEN' });
  });

  it('causes no uncaught error if the file is not read', async () => {
    const request = formRequest(formBytes(filePart('abc')).subarray(0, -20));
    const received = receiveFormFile(request, async () => {
      await turns(20);
      throw new CountersignError('STEP_OUT_OF_TURN', 'not now');
    });
    await expect(received).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' });
  });
});

describe('a file that is too large', () => {
  it.each([true, false])('is refused and read to its end (length given: %s)', async (length) => {
    const request = formRequest(formBytes(filePart(Buffer.alloc(26 * 1024 * 1024))), { length, step: 65_536 });
    const asked: boolean[] = [];
    const received = receiveFormFile(request, (upload) => {
      asked.push(true);
      return takeAll(upload);
    });
    await expect(received).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(request.readBytes()).toBeGreaterThan(26 * 1024 * 1024);
    expect(asked).toEqual(length ? [] : [true]);
  });

  it('is read only up to a limit', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const received = receiveFormFile({ headers: formRequest(new Uint8Array(0)).headers, body }, takeAll);
    await expect(received).rejects.toBeInstanceOf(CountersignError);
    expect(sent).toBeLessThan(80 * 1024 * 1024);
  });
});

describe('the consumer of the file', () => {
  it('may refuse the file before reading it; the rest is drained', async () => {
    const request = formRequest(formBytes(filePart(random(1_000_000))));
    const received = receiveFormFile(request, async () => {
      throw new CountersignError('STEP_OUT_OF_TURN', 'not now');
    });
    await expect(received).rejects.toMatchObject({ code: 'STEP_OUT_OF_TURN' });
    expect(request.readBytes()).toBeGreaterThan(1_000_000);
  });

  it('may refuse the file in the middle', async () => {
    const request = formRequest(formBytes(filePart(random(1_000_000))));
    const received = receiveFormFile(request, async (upload) => {
      for await (const _ of upload) throw new CountersignError('FILE_TYPE_REFUSED', 'no picture');
    });
    await expect(received).rejects.toMatchObject({ code: 'FILE_TYPE_REFUSED' });
    expect(request.readBytes()).toBeGreaterThan(1_000_000);
  });
});
