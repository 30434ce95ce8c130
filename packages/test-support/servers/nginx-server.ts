import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start } from '../processes/child-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { LOCALHOST_PEM } from './localhost-certificate.ts';
import { programOnPath } from './program-on-path.ts';
import { copySamples, type ProxyPorts, type ReverseProxy, untilOpen } from './reverse-proxy.ts';

/** Starts an nginx with the samples of `deploy/nginx`. @param ports free ones */
export async function startNginx(
  servers: readonly [{ readonly port: number }, { readonly port: number }],
  ports: ProxyPorts,
): Promise<ReverseProxy> {
  const command = programOnPath('nginx');
  if (command === undefined) throw new Error('nginx is not on the PATH');
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  mkdirSync(file('temporary'));
  writeFileSync(file('localhost.pem'), LOCALHOST_PEM);
  const changes: [from: string, to: string][] = [
    ['/etc/nginx/countersign/server.conf', file('server.conf')],
    ['/etc/countersign/tls/fullchain.pem', file('localhost.pem')],
    ['/etc/countersign/tls/privkey.pem', file('localhost.pem')],
    ['/var/log/nginx/', `${folder}/`],
    ['127.0.0.1:8081', `127.0.0.1:${servers[0].port}`],
    ['127.0.0.1:8082', `127.0.0.1:${servers[1].port}`],
    ['listen 80;', `listen 127.0.0.1:${ports.plain};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl;', `listen 127.0.0.1:${ports.tls} ssl${isOld(command) ? ' http2' : ''};`],
    ['listen [::]:443 ssl;', ''],
    ['http2 on;', isOld(command) ? '' : 'http2 on;'],
    ['https://verify.example', `https://localhost:${ports.tls}`],
    ['server_name verify.example', 'server_name localhost'],
  ];
  copySamples('nginx', folder, ['countersign.conf', 'server.conf', 'log.conf'], changes);
  writeFileSync(file('nginx.conf'), mainSettings(folder));
  const running = start(command, ['-p', folder, '-c', file('nginx.conf'), '-e', 'stderr']);
  await untilOpen(running, ports.tls);

  return {
    origin: `https://localhost:${ports.tls}`,
    port: ports.tls,
    plainPort: ports.plain,
    log: () =>
      ['countersign.log', 'countersign-error.log'].map((name) => readFileSync(file(name), 'utf8')).join(''),
    async stop() {
      running.signal('SIGTERM');
      await running.finished;
    },
  };
}

/** Whether an nginx does not know the directive `http2`, as the sample says. */
function isOld(command: string): boolean {
  const { stderr } = spawnSync(command, ['-v'], { encoding: 'utf8' });
  const [major = 0, minor = 0, patch = 0] = (/nginx\/([\d.]+)/.exec(stderr)?.[1] ?? '').split('.').map(Number);
  return major < 1 || (major === 1 && (minor < 25 || (minor === 25 && patch < 1)));
}

/** One process, which ends with its process group. */
function mainSettings(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/temporary/${name};`).join(' ')}
  include ${folder}/log.conf;
  include ${folder}/countersign.conf;
}
`;
}
