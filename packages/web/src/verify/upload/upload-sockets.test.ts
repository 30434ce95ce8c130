import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type EvidenceIntake, UPLOADS_AT_ONCE } from '@countersign/domain/evidence';
import { createTrustingIntake } from '@countersign/memory';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import { ORIGIN } from '../../../test-support/subject-site.ts';
import { BOUNDARY, filePart, formBytes, jpeg } from '../../../test-support/upload-body.ts';
import { givenSubjectAtDocument } from '../../../test-support/upload-steps.ts';
import type { GivenSubject } from '../../../test-support/upload-subject.ts';

const MB = 1024 * 1024;
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Serves the pages on a free port. */
async function serve({ app }: GivenSubject): Promise<{ port: number; sockets: readonly Socket[] }> {
  const listen = getRequestListener(app.fetch);
  const server = createServer((incoming, outgoing) => void listen(incoming, outgoing));
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** The head of an upload's request. */
function head({ id, cookie }: GivenSubject, length: number): string {
  return [
    `POST /verify/${id}/document-front HTTP/1.1`,
    'Host: verify.example',
    `Origin: ${ORIGIN}`,
    'Sec-Fetch-Site: same-origin',
    `Cookie: ${cookie}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${length}`,
    'Connection: close',
    '',
    '',
  ].join('\r\n');
}

/** Sends everything, and only then looks at the answer, as a browser does. */
function send(port: number, given: GivenSubject, body: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const pieces: Buffer[] = [];
    socket.write(head(given, body.byteLength));
    socket.write(body, () => {
      socket.on('data', (piece) => pieces.push(piece));
      socket.on('end', () => resolve(Buffer.concat(pieces).toString()));
    });
    socket.on('error', reject);
  });
}

function isGone(requireSender: () => void): boolean {
  try {
    requireSender();
    return false;
  } catch {
    return true;
  }
}

describe('an upload over a socket', () => {
  it('an upload of 26 MB over a socket: the page with the reason, after the body was drained', async () => {
    const given = await givenSubjectAtDocument();
    const { port } = await serve(given);
    const answer = await send(port, given, formBytes(filePart(jpeg(26 * MB))));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('The file is larger than 25 MB');
    expect(await given.storedFiles()).toBe(0);
  });

  it('an upload of 10 MB over a socket is stored', async () => {
    const given = await givenSubjectAtDocument();
    const { port } = await serve(given);
    expect(await send(port, given, formBytes(filePart(jpeg(10 * MB))))).toMatch(/^HTTP\/1\.1 303 /);
    expect(await given.storedFiles()).toBe(1);
  });

  it.each([
    ['in its middle', 2 * MB],
    ['after 99 %', Math.floor(0.99 * 4 * MB)],
    ['one byte before its end', -1],
  ])('an upload over a socket that ends %s stores nothing and is no fault', async (_, end) => {
    const trusting = createTrustingIntake();
    const rejection = Promise.withResolvers<unknown>();
    const begun = Promise.withResolvers<void>();
    const intake: EvidenceIntake = {
      async receive(upload, accepted) {
        begun.resolve();
        try {
          return await trusting.receive(upload, accepted);
        } catch (error) {
          rejection.resolve(error);
          throw error;
        }
      },
    };
    const given = await givenSubjectAtDocument({ intake });
    const { port } = await serve(given);
    const body = formBytes(filePart(jpeg(4 * MB)));
    const socket = connect(port, '127.0.0.1');
    socket.write(head(given, body.byteLength));
    socket.write(body.subarray(0, end));
    await begun.promise;
    socket.destroy();

    expect(await rejection.promise).toMatchObject({ code: 'UPLOAD_BROKEN' });
    expect(await given.storedFiles()).toBe(0);
    expect((await given.read()).files).toEqual([]);
    expect(given.faults).toEqual([]);
    expect(await send(port, given, formBytes(filePart(jpeg())))).toMatch(/^HTTP\/1\.1 303 /);
  });

  it('an upload over a socket whose browser disconnects while the complete file waits is dropped', async () => {
    const waiting = Promise.withResolvers<void>();
    const turn = Promise.withResolvers<void>();
    const rejection = Promise.withResolvers<unknown>();
    let requireSender = () => {};
    const intake: EvidenceIntake = {
      async receive(upload, terms) {
        requireSender = terms.requireSender ?? requireSender;
        const file = await createTrustingIntake().receive(upload, terms);
        waiting.resolve();
        await turn.promise;
        try {
          requireSender();
        } catch (error) {
          rejection.resolve(error);
          throw error;
        }
        return file;
      },
    };
    const given = await givenSubjectAtDocument({ intake });
    const { port } = await serve(given);
    const body = formBytes(filePart(jpeg(2 * MB)));
    const socket = connect(port, '127.0.0.1');
    socket.write(head(given, body.byteLength));
    socket.write(body);
    await waiting.promise;
    expect(requireSender).not.toThrow();
    socket.destroy();
    await expect.poll(() => isGone(requireSender)).toBe(true);
    turn.resolve();

    expect(await rejection.promise).toMatchObject({ code: 'UPLOAD_BROKEN' });
    await expect.poll(() => given.storedFiles()).toBe(0);
    expect((await given.read()).files).toEqual([]);
    expect(given.faults).toEqual([]);
  });

  it('as many at once as a subject may send: each is read no faster than it is consumed', async () => {
    let taken = 0;
    let most = 0;
    let received = () => 0;
    const intake: EvidenceIntake = {
      async receive(upload) {
        for await (const piece of upload) {
          taken += piece.byteLength;
          most = Math.max(most, received() - taken);
          // As slow as a decoder: everybody else has a turn meanwhile.
          await setImmediate();
        }
        return { content: jpeg(10), contentType: 'image/jpeg', sha256: 'ab'.repeat(32), warnings: [] };
      },
    };
    const given = await givenSubjectAtDocument({ intake });
    const { port, sockets } = await serve(given);
    received = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    const body = formBytes(filePart(jpeg(9 * MB)));
    const answers = await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, () => send(port, given, body)));

    expect(taken).toBe(UPLOADS_AT_ONCE * 9 * MB);
    // What lies between socket and intake: half a megabyte each at most, of nine.
    expect(most).toBeLessThan((UPLOADS_AT_ONCE * MB) / 2);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 303 /);
  });
});
