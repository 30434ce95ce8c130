import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { freeChunk } from '@countersign/domain/evidence';
import { expect, onTestFinished, test } from 'vitest';
import { bodyOf } from './upload-body.ts';

const MB = 1024 * 1024;

/** Sends the head of a request to a server that answers nothing. */
async function givenRequest(length: number): Promise<{ client: Socket; incoming: IncomingMessage }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asked = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  return { client, incoming: await asked };
}

const content = Buffer.from(Uint8Array.from({ length: 3 * MB }, (_, at) => (at * 7919) % 251));

test('upload body: returns all bytes as they were sent', async () => {
  const { client, incoming } = await givenRequest(content.byteLength);
  client.write(content);
  expect(Buffer.compare(await buffer(bodyOf(incoming)), content)).toBe(0);
});

test('upload body: each chunk may be freed while the next ones arrive', async () => {
  const { client, incoming } = await givenRequest(content.byteLength);
  client.write(content);
  let size = 0;
  for await (const chunk of bodyOf(incoming)) {
    expect(Buffer.compare(chunk, content.subarray(size, size + chunk.byteLength))).toBe(0);
    size += chunk.byteLength;
    freeChunk(chunk);
    expect(chunk.byteLength).toBe(0);
  }
  expect(size).toBe(content.byteLength);
});

test('upload body: reads no more from the connection than it is asked for', async () => {
  const { client, incoming } = await givenRequest(content.byteLength);
  const sent = new Promise((resolve) => client.write(content, resolve));
  const reader = bodyOf(incoming).getReader();
  const { value } = await reader.read();
  for (let turn = 0; turn < 200; turn += 1) await setImmediate();
  expect(incoming.socket.bytesRead).toBeLessThan((value?.byteLength ?? 0) + MB / 4);
  for (let next = await reader.read(); !next.done; next = await reader.read());
  await sent;
});

test('upload body: fails when the sender disconnects before its end', async () => {
  const { client, incoming } = await givenRequest(content.byteLength);
  client.write(content.subarray(0, 1000));
  const reader = bodyOf(incoming).getReader();
  expect((await reader.read()).value?.byteLength).toBe(1000);
  client.destroy();
  await expect(reader.read()).rejects.toThrow(/aborted|closed/);
});

test('upload body: fails instead of waiting if the sender has already disconnected', async () => {
  const { client, incoming } = await givenRequest(content.byteLength);
  const closed = new Promise((resolve) => incoming.once('close', resolve));
  incoming.on('error', () => undefined);
  client.destroy();
  await closed;
  await expect(bodyOf(incoming).getReader().read()).rejects.toThrow(/aborted|closed/);
});

test('upload body: is cancelled by closing the connection', async () => {
  const { client, incoming } = await givenRequest(content.byteLength);
  client.write(content);
  const closed = new Promise((resolve) => client.once('close', resolve));
  const reader = bodyOf(incoming).getReader();
  await reader.read();
  await reader.cancel();
  await closed;
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});
