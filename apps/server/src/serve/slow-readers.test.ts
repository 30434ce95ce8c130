import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { trackConnections } from './connections.ts';
import { endSlowReaders } from './slow-readers.ts';

/** Larger than what the buffers of a connection hold. */
const PART = Buffer.alloc(16 * 1024 * 1024);

let server: Server;
let reader: Socket;
let response: ServerResponse;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  server = createServer();
  endSlowReaders(server, trackConnections(server));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
});

afterEach(async () => {
  vi.useRealTimers();
  reader.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('slow readers: a connection whose client has not taken a part after 30 s is closed', () => {
  response.write(PART);
  vi.advanceTimersByTime(30_000);
  expect(response.socket?.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(response.destroyed || response.socket?.destroyed).toBe(true);
});

test('slow readers: a client that takes each part in time may take long for all of them', async () => {
  let taken = 0;
  reader.on('data', (bytes) => {
    taken += bytes.length;
  });
  reader.pause();
  for (let part = 1; part <= 3; part += 1) {
    response.write(PART);
    vi.advanceTimersByTime(29_000);
    const drained = once(response, 'drain');
    reader.resume();
    await drained;
    await vi.waitFor(() => expect(taken).toBeGreaterThanOrEqual(part * PART.length));
    reader.pause();
  }
  expect(response.destroyed).toBe(false);
});

test('slow readers: a response that waits for the service, not for its client, may take any time', () => {
  response.writeHead(200).flushHeaders();
  return vi.waitFor(() => {
    expect(response.socket?.writableLength).toBe(0);
    vi.advanceTimersByTime(120_000);
    expect(response.socket?.destroyed).toBe(false);
  });
});
