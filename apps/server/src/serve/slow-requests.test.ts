import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { trackConnections } from './connections.ts';
import { endSlowRequests, isUpload } from './slow-requests.ts';

const ended: (string | undefined)[] = [];
let server: Server;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  ended.length = 0;
  server = createServer();
  endSlowRequests(server, trackConnections(server), isUpload);
  server.on('request', (_request, response) => response.write('so far'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    ended.push(error.code);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends the start of a request and waits until the server has read its headers. */
async function begin(text: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const taken = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  socket.write(text);
  await taken;
  return socket;
}

const body = 'Content-Length: 100\r\n\r\nabc';

test('slow requests: an incomplete body ends the request after 10 s', async () => {
  await begin(`POST /api/v1/verifications HTTP/1.1\r\nHost: x\r\n${body}`);
  vi.advanceTimersByTime(10_000);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(ended[0]).toBe('ERR_HTTP_REQUEST_TIMEOUT');
});

test('slow requests: an upload may take 5 minutes', async () => {
  const multipart = 'Content-Type: multipart/form-data; boundary=x\r\n';
  await begin(`POST /verify/id/document HTTP/1.1\r\nHost: x\r\n${multipart}${body}`);
  vi.advanceTimersByTime(299_000);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(3_000);
  expect(ended[0]).toBe('ERR_HTTP_REQUEST_TIMEOUT');
});

test('slow requests: the answer to a complete request may take any time', async () => {
  await begin('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => vi.advanceTimersByTime(400_000));
  expect(ended).toEqual([]);
});
