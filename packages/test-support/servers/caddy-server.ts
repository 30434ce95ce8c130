import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../processes/child-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { LOCALHOST_PEM } from './localhost-certificate.ts';
import { programOnPath } from './program-on-path.ts';
import { copySamples, type ProxyPorts, type ReverseProxy, untilOpen } from './reverse-proxy.ts';

/** Starts a Caddy with the sample of `deploy/caddy`, and with a certificate that it does not have to get. @param ports free ones */
export async function startCaddy(
  servers: readonly [{ readonly port: number }, { readonly port: number }],
  ports: ProxyPorts,
): Promise<ReverseProxy> {
  const command = programOnPath('caddy');
  if (command === undefined) throw new Error('caddy is not on the PATH');
  const folder = temporaryFolder();
  const file = join(folder, 'Caddyfile');
  const certificate = join(folder, 'localhost.pem');
  writeFileSync(certificate, LOCALHOST_PEM);
  copySamples(
    'caddy',
    folder,
    ['Caddyfile'],
    [
      ['\tservers {', `\tadmin off\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}\n\tservers {`],
      // The tests do not wait for minutes.
      ['read_body 310s', 'read_body 15s'],
      ['verify.example {', `localhost {\n\tbind 127.0.0.1\n\ttls ${certificate} ${certificate}`],
      ['127.0.0.1:8081', `127.0.0.1:${servers[0].port}`],
      ['127.0.0.1:8082', `127.0.0.1:${servers[1].port}`],
    ],
  );
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const running = start(command, ['run', '--config', file, '--adapter', 'caddyfile'], { env });
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
