import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DOWNLOADS_AT_ONCE, type EvidencePlace } from '@countersign/domain/evidence';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type GivenApi, type GivenClient, givenApi, givenClient, MOUNT } from '../test-support/api.ts';
import { givenSubmitted } from '../test-support/verifications.ts';
import { createApiListener } from './node.ts';

const FILE_BYTES = 1024 * 1024;
/** More than the buffers of a socket hold. */
const LARGE_FILE_BYTES = 32 * FILE_BYTES;

let api: GivenApi;
let client: GivenClient;
let id: string;
let server: Server;
let faults: unknown[];
/** The response to the latest request, and when its listener is done with it. */
let answered: { readonly outgoing: ServerResponse; readonly done: Promise<void> };

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
  await api.countersign.clients.setFileAccess(client.clientId, true);
  ({ id } = await givenSubmitted(api, client));
  faults = [];
  const listener = createApiListener(api.countersign, {
    mountPath: MOUNT,
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    newRequestId: () => 'a-request',
    onFault: (fault) => void faults.push(fault),
    now: api.clock.now,
  });
  server = createServer((incoming, outgoing) => {
    answered = { outgoing, done: listener(incoming, outgoing) };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Reads files of this size. `before` runs before each. @returns the places that were read */
function givenReads(
  before: (place: EvidencePlace) => void | Promise<void> = () => undefined,
  bytes = FILE_BYTES,
): EvidencePlace[] {
  const read: EvidencePlace[] = [];
  vi.spyOn(api.files, 'get').mockImplementation(async (place) => {
    read.push(place);
    await before(place);
    return new Uint8Array(bytes).fill(read.length);
  });
  return read;
}

/** Requests the export. The caller reads the answer. */
async function ask(method = 'GET'): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'X-API-Key': client.key };
  const request = get({ port, path: `${MOUNT}/verifications/${id}/export`, method, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

describe('an export through createApiListener', () => {
  it('comes whole, and the next file is read when the one before has left the process', async () => {
    const waiting: number[] = [];
    const read = givenReads(() => void waiting.push(answered.outgoing.writableLength));
    const response = await ask();
    expect(response.headers).toMatchObject({ 'content-type': 'application/zip', 'transfer-encoding': 'chunked' });
    const files = await readZip(await buffer(response));
    await answered.done;
    expect(files.map(({ name, content }) => [name, content.length])).toEqual([
      ['files/document_front.jpg', FILE_BYTES],
      ['files/selfie.jpg', FILE_BYTES],
      ['data.json', expect.any(Number)],
    ]);
    expect(read).toHaveLength(2);
    // Bytes of parts that wait in the process: at most headers of files in the zip.
    for (const bytes of waiting) expect(bytes).toBeLessThan(1_000);
  });

  it('an export through createApiListener has the same bytes as through createApi', async () => {
    givenReads();
    const node = await buffer(await ask());
    vi.restoreAllMocks();
    givenReads();
    const hono = await api.app.request(`${MOUNT}/verifications/${id}/export`, {
      headers: { 'X-API-Key': client.key },
    });
    expect(node.equals(Buffer.from(await hono.arrayBuffer()))).toBe(true);
  });

  it('HEAD reads no file', async () => {
    const read = givenReads();
    const response = await ask('HEAD');
    expect(response.statusCode).toBe(200);
    await answered.done;
    expect(read).toEqual([]);
  });

  it('HEAD and callers that leave hold no slot', async () => {
    givenReads(undefined, LARGE_FILE_BYTES);
    for (let time = 0; time < DOWNLOADS_AT_ONCE; time += 1) {
      expect((await ask('HEAD')).statusCode).toBe(200);
      await answered.done;
      const response = await ask();
      await once(response, 'readable');
      response.destroy();
      await answered.done;
    }
    expect((await ask()).statusCode).toBe(200);
  });

  it('a caller that leaves between two parts: no further file is read, and it is no fault', async () => {
    const read = givenReads(undefined, LARGE_FILE_BYTES);
    const response = await ask();
    await once(response, 'readable');
    response.destroy();
    await answered.done;
    expect(read).toHaveLength(1);
    expect(answered.outgoing.destroyed).toBe(true);
    expect(faults).toEqual([]);
  });

  it('a caller that leaves while a file is read: the reading ends after it', async () => {
    const reading = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const read = givenReads(async () => {
      reading.resolve();
      await left.promise;
    });
    const response = await ask();
    await reading.promise;
    const closed = once(answered.outgoing, 'close');
    response.destroy();
    await closed;
    left.resolve();
    await answered.done;
    expect(read).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('a fault in the middle closes the connection, so that no caller takes the rest for the whole', async () => {
    const fault = new Error('connection to 10.0.0.7 lost');
    givenReads(() => void vi.spyOn(api.storage.verifications, 'find').mockRejectedValueOnce(fault));
    const response = await ask();
    await expect(buffer(response)).rejects.toThrow('aborted');
    await answered.done;
    expect(faults).toEqual([fault]);
  });
});
