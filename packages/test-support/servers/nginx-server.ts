import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Running, start } from '../processes/child-process.ts';
import { freePort } from '../processes/free-port.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { until } from '../processes/until.ts';
import { LOCALHOST_PEM } from './localhost-certificate.ts';
import { programOnPath } from './program-on-path.ts';

const SAMPLES = join(import.meta.dirname, '../../../deploy/nginx');

/** An nginx that runs the samples of `deploy/nginx`, changed only where an operator has to. */
export interface NginxServer {
  /** `https://localhost:4711`, with the certificate of LOCALHOST_PEM. */
  readonly origin: string;
  readonly port: number;
  /** The port that leads to `origin`. */
  readonly plainPort: number;
  /** What it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** @param ports free ports for TLS and for the redirect; servers need the first one in PUBLIC_BASE_URL before nginx starts */
export async function startNginx(
  servers: readonly [{ readonly port: number }, { readonly port: number }],
  ports: { readonly tls: number; readonly plain: number },
): Promise<NginxServer> {
  const command = programOnPath('nginx');
  if (command === undefined) throw new Error('nginx is not on the PATH');
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  mkdirSync(file('temporary'));
  writeFileSync(file('localhost.pem'), LOCALHOST_PEM);
  const places: [from: string, to: string][] = [
    ['/etc/nginx/countersign/server.conf', file('server.conf')],
    ['/etc/countersign/tls/fullchain.pem', file('localhost.pem')],
    ['/etc/countersign/tls/privkey.pem', file('localhost.pem')],
    ['/var/log/nginx/', `${folder}/`],
    ['127.0.0.1:8081', `127.0.0.1:${servers[0].port}`],
    ['127.0.0.1:8082', `127.0.0.1:${servers[1].port}`],
    ['listen 80;', `listen 127.0.0.1:${ports.plain};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.tls} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['https://verify.example', `https://localhost:${ports.tls}`],
    ['server_name verify.example', 'server_name localhost'],
  ];
  writeChanged(folder, ['countersign.conf', 'server.conf', 'log.conf'], places);
  writeFileSync(file('nginx.conf'), mainSettings(folder));
  const running = start(command, ['-p', folder, '-c', file('nginx.conf'), '-e', 'stderr']);
  await until(async () => (await isOpen(ports.tls)) || (await hasEnded(running)));

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

/** Returns free ports for `startNginx`. */
export async function nginxPorts(): Promise<{ readonly tls: number; readonly plain: number }> {
  return { tls: await freePort(), plain: await freePort() };
}

/** Copies samples with changes, each of which must be found. */
function writeChanged(folder: string, names: readonly string[], changes: readonly [string, string][]): void {
  const texts = names.map((name) => readFileSync(join(SAMPLES, name), 'utf8'));
  for (const [from] of changes) {
    if (!texts.some((text) => text.includes(from))) throw new Error(`no sample of nginx has “${from}”`);
  }
  for (const [n, name] of names.entries()) {
    const changed = changes.reduce((text, [from, to]) => text.replaceAll(from, to), texts[n] ?? '');
    writeFileSync(join(folder, name), changed);
  }
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

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @throws Error with the output of a process that has ended */
async function hasEnded({ finished, output }: Running): Promise<boolean> {
  const ended = await Promise.race([
    finished,
    new Promise<undefined>((resolve) => setImmediate(resolve, undefined)),
  ]);
  if (ended !== undefined) throw new Error(`nginx ended:\n${output()}`);
  return false;
}
