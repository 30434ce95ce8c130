import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  describeWith,
  type ProxyPorts,
  proxyPorts,
  type ReverseProxy,
  startCaddy,
  startHaproxy,
  startNginx,
} from '@countersign/test-support/servers';
import { LOCALHOST_CERTIFICATE } from '@countersign/test-support/servers/localhost-certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';

type StartProxy = (servers: readonly [Listening, Listening], ports: ProxyPorts) => Promise<ReverseProxy>;
interface Listening {
  readonly port: number;
  readonly server: Server;
}

/** A server without its bucket: files get 503, everything else works. */
function startWithoutBucket(): Promise<Listening> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/file' ? 503 : 200).end();
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port })),
  );
}

casesOf('nginx', startNginx);
casesOf('caddy', startCaddy);
casesOf('haproxy', startHaproxy);

function casesOf(kind: 'nginx' | 'caddy' | 'haproxy', startProxy: StartProxy): void {
  describeWith([kind], `two servers without their bucket, behind the sample of ${kind}`, () => {
    const trusted = getCACertificates('default');
    let servers: [Listening, Listening];
    let proxy: ReverseProxy;
    beforeAll(async () => {
      setDefaultCACertificates([...trusted, LOCALHOST_CERTIFICATE]);
      servers = [await startWithoutBucket(), await startWithoutBucket()];
      proxy = await startProxy(servers, await proxyPorts());
    });
    afterAll(async () => {
      setDefaultCACertificates(trusted);
      await proxy.stop();
      for (const { server } of servers) server.close();
    });

    it('stay in use: requests of files get their 503, and everything else works', async () => {
      const statusOf = async (path: string) => (await fetch(proxy.origin + path)).status;
      const statuses = [];
      for (let n = 0; n < 10; n++) statuses.push([await statusOf('/file'), await statusOf('/')]);
      expect(statuses).toEqual(statuses.map(() => [503, 200]));
    });
  });
}
