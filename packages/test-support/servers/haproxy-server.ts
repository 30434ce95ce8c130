import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../processes/child-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { LOCALHOST_PEM } from './localhost-certificate.ts';
import { programOnPath } from './program-on-path.ts';
import { copySamples, type ProxyPorts, type ReverseProxy, untilOpen } from './reverse-proxy.ts';

/** Starts an HAProxy with the sample of `deploy/haproxy`. @param ports free ones */
export async function startHaproxy(
  servers: readonly [{ readonly port: number }, { readonly port: number }],
  ports: ProxyPorts,
): Promise<ReverseProxy> {
  const command = programOnPath('haproxy');
  if (command === undefined) throw new Error('haproxy is not on the PATH');
  const folder = temporaryFolder();
  const certificate = join(folder, 'localhost.pem');
  writeFileSync(certificate, LOCALHOST_PEM);
  copySamples(
    'haproxy',
    folder,
    ['haproxy.cfg', 'refuse-upload.lua'],
    [
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['user haproxy', ''],
      ['group haproxy', ''],
      ['chroot /var/lib/haproxy', ''],
      // The tests wait for slow clients. Well above the 4 s after which Node's fetch stops using an idle connection: HAProxy
      // also closes idle connections after this time, and a request that a busy machine sends at that moment fails.
      ['timeout client 35s', 'timeout client 15s'],
      ['/etc/haproxy/countersign.pem', certificate],
      ['/etc/haproxy/refuse-upload.lua', join(folder, 'refuse-upload.lua')],
      ['bind :::80 v4v6', `bind 127.0.0.1:${ports.plain}`],
      ['bind :::443 v4v6', `bind 127.0.0.1:${ports.tls}`],
      ['https://verify.example', `https://localhost:${ports.tls}`],
      ['127.0.0.1:8081', `127.0.0.1:${servers[0].port}`],
      ['127.0.0.1:8082', `127.0.0.1:${servers[1].port}`],
    ],
  );
  // One process in the foreground, which ends with its process group.
  const running = start(command, ['-db', '-f', join(folder, 'haproxy.cfg')]);
  await untilOpen(running, ports.tls);

  return {
    origin: `https://localhost:${ports.tls}`,
    port: ports.tls,
    plainPort: ports.plain,
    log: running.output,
    async stop() {
      running.signal('SIGTERM');
      await running.finished;
    },
  };
}
