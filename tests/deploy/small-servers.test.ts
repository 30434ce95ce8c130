import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, proxyPorts, type ReverseProxy } from '@countersign/test-support/servers';
import { LOCALHOST_CERTIFICATE } from '@countersign/test-support/servers/localhost-certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CADDY, HAPROXY, NGINX, type ProxySample } from './proxy-samples.ts';

interface Listening {
  readonly port: number;
  readonly server: Server;
}

/** A server that answers with the address of the client, as the proxy passes it on. Files get 503, as without a bucket. */
function startServer(): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/file' ? 503 : 200).end(request.headers['x-forwarded-for']);
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port })),
  );
}

for (const sample of [NGINX, CADDY, HAPROXY]) casesOf(sample);

function casesOf({ kind, start, tooLarge, redirect, hasAccessLog }: ProxySample): void {
  describeWith([kind], `two small servers behind the sample of ${kind}`, () => {
    const trusted = getCACertificates('default');
    let servers: [Listening, Listening];
    let proxy: ReverseProxy;
    beforeAll(async () => {
      setDefaultCACertificates([...trusted, LOCALHOST_CERTIFICATE]);
      servers = [await startServer(), await startServer()];
      proxy = await start(servers, await proxyPorts());
    });
    afterAll(async () => {
      setDefaultCACertificates(trusted);
      await proxy.stop();
      for (const { server } of servers) server.close();
    });

    it('servers without their bucket stay in use: requests for files get 503, and everything else works', async () => {
      const statusOf = async (path: string) => (await fetch(proxy.origin + path)).status;
      const statuses = [];
      for (let n = 0; n < 10; n++) statuses.push([await statusOf('/file'), await statusOf('/')]);
      expect(statuses).toEqual(statuses.map(() => [503, 200]));
    });

    it('plain HTTP leads to https, with path and query', async () => {
      const response = await fetch(`http://localhost:${proxy.plainPort}/verify/a?b=c`, { redirect: 'manual' });
      const { status, origin } = redirect(proxy);
      expect([response.status, response.headers.get('location')]).toEqual([status, `${origin}/verify/a?b=c`]);
    });

    it('a server gets the address of the client, whatever the client says', async () => {
      const response = await fetch(proxy.origin, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
      expect(await response.text()).toBe('127.0.0.1');
    });

    it('an upload of 55 MB gets the 413 of the proxy', async () => {
      const body = new Uint8Array(55 * 1024 * 1024);
      const response = await fetch(proxy.origin, { method: 'POST', body });
      expect([response.status, await response.text()]).toEqual([413, expect.stringMatching(tooLarge)]);
    });

    it('the log has no address and no path', async () => {
      expect((await fetch(`${proxy.origin}/verify/link-of-a-subject`)).status).toBe(200);
      if (hasAccessLog) await until(() => proxy.log().split('\n').length > 10);
      expect(proxy.log()).not.toMatch(/\/verify|127\.0\.0\.1 |::1/);
    });
  });
}
