import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADA, type GivenTeam, givenTeam } from '../../../test-support/client-team.ts';
import { endless, fill, watchReads } from '../../../test-support/many-verifications.ts';

const servers: Server[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Requests the export over a socket. The caller reads the answer. */
async function askForExport(given: GivenTeam): Promise<IncomingMessage> {
  const listen = getRequestListener((request) => given.ask('/dashboard/verifications/export.csv', ADA, request));
  const server = createServer((incoming, outgoing) => void listen(incoming, outgoing));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const request = get({ port: (server.address() as AddressInfo).port, path: '/' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response) text += String(piece);
  return text;
}

describe('an export over a socket', () => {
  it('comes whole', async () => {
    const given = await givenTeam();
    await fill(given, 1_200);
    const text = await textOf(await askForExport(given));
    expect(text.split('\r\n')).toHaveLength(1_202);
  });

  it('a failed export is cut off, so that no reader takes it for complete, and shows no detail of the fault', async () => {
    const given = await givenTeam();
    await fill(given, 1_600);
    watchReads(given, 4);
    // The server's own library writes what went wrong with a response there.
    const written = vi.spyOn(console, 'error').mockReturnValue();
    const response = await askForExport(given);
    expect(response.statusCode).toBe(200);
    let text = '';
    const reading = async () => {
      for await (const piece of response) text += String(piece);
    };
    await expect(reading()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    expect(text).not.toContain('Error');
    expect(written.mock.calls.flat().map(String).join()).not.toContain('10.0.0.7');
    expect(given.faults).toHaveLength(1);
  });

  it('reads no further than the network buffers, and stops when the reader leaves', async () => {
    const given = await givenTeam();
    const reads = await endless(given);
    const response = await askForExport(given);
    // 50 kB a page; the buffers of a socket hold a few megabytes.
    const untaken = await settled(reads);
    expect(untaken).toBeLessThan(1_000);

    response.destroy();
    await once(response, 'close');
    const cancelled = await settled(reads);
    expect(cancelled - untaken).toBeLessThan(10);
    expect(given.faults).toEqual([]);
  });
});

/** How many reads there were when they had stopped. */
async function settled(reads: { count: number }): Promise<number> {
  let before = -1;
  while (before !== reads.count) {
    before = reads.count;
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return before;
}
