import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCountersign } from '@countersign/domain';
import { createApiListener } from '@countersign/http';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { onTestFinished } from 'vitest';

/**
 * Serves the API from memory at `/api/v1` until the test ends. `/moved` redirects there, and `/slow` never answers.
 *
 * @returns its origin, and a key with all permissions
 */
export async function startApi(): Promise<{ readonly origin: string; readonly key: string }> {
  const clock = createFixedClock();
  const ids = createCountingIds();
  const ports = { storage: createMemoryStorage(), rateLimiter: createMemoryRateLimiter(clock), clock, ids };
  const countersign = createCountersign(
    { ...ports, sealing: 'none', secrets: createCountingSecrets() },
    { publicBaseUrl: 'https://verify.example' },
  );
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });

  const api = createApiListener(countersign, {
    mountPath: '/api/v1',
    clientAddress: () => '192.0.2.1',
    newRequestId: () => ids.next(),
    onFault: (fault) => console.error(fault),
  });
  const server = createServer((incoming, outgoing) => {
    const { url = '' } = incoming;
    if (url.startsWith('/slow/')) return;
    if (url.startsWith('/moved/')) outgoing.writeHead(307, { Location: url.replace('/moved', '/api/v1') }).end();
    else void api(incoming, outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key };
}
