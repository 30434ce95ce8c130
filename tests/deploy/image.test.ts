// Carries out the steps of the Dockerfile, which pack and start the program.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { type Environment, run, start } from '@countersign/test-support/processes/child-process';
import { freePort } from '@countersign/test-support/processes/free-port';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, startPostgres, startRedis } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pack } from '../../scripts/pack.mjs';
import { execForm, propertiesOf, ROOT, readStages, type Stage, stepOf } from './dockerfile.ts';
import { carryOut, environmentIn, type ImageFolder, newImageFolder, startAs } from './image-folder.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const [build, image] = readStages() as [Stage, Stage];
const USER = stepOf(image, 'USER').text;

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment: Environment;
  readonly command?: readonly string[];
  readonly secrets: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}
const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
const SERVERS = ['server-1', 'server-2', 'migrate'] as const;

describe('the Dockerfile', () => {
  it('takes base image and digest as arguments', () => {
    const digest = `@sha256:${'0'.repeat(64)}`;
    const [first, last] = readStages({ NODE_IMAGE: 'example.org/node:1', NODE_DIGEST: digest });
    expect([first?.base, last?.base]).toEqual([`example.org/node:1${digest}`, `example.org/node:1${digest}`]);
    expect(image.base).toMatch(/\/node:24\.\d+\.\d+-trixie-slim$/);
  });

  it('the Dockerfile is built from what git keeps, and nothing else of a developer’s machine', () => {
    const ignored = patternsOf('.gitignore').map((pattern) => {
      const bare = pattern.replace(/\/$/, '');
      if (bare.startsWith('!/')) return `!${bare.slice(2)}`;
      return bare.startsWith('/') ? bare.slice(1) : `**/${bare}`;
    });
    expect(patternsOf('.dockerignore')).toEqual(['.git', ...ignored]);
  });

  it('the Dockerfile has pg_dump for a backup, not older than the Postgres of compose.yaml', () => {
    // What `postgresql-client` of the Debian in the name of the base image contains.
    const versions: Readonly<Record<string, number>> = { bookworm: 15, trixie: 17 };
    const [, debian = ''] = /-(\w+)-slim$/.exec(image.base) ?? [];
    const [, server = ''] = /postgres:(\d+)-/.exec(compose.services.postgres?.image ?? '') ?? [];
    expect(image.steps.filter(({ text }) => text.includes(' postgresql-client '))).toHaveLength(1);
    expect(versions[debian]).toBeGreaterThanOrEqual(Number(server));
  });

  it('runs the program itself as a user without rights, and labels the image', () => {
    expect(USER).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    expect(execForm(stepOf(image, 'ENTRYPOINT'))).toEqual(['countersign']);
    expect(execForm(stepOf(image, 'CMD'))).toEqual(['serve']);
    expect(stepOf(image, 'STOPSIGNAL').text).toBe('SIGTERM');
    expect(stepOf(image, 'EXPOSE').text).toBe(propertiesOf(image, 'ENV').PORT);
    const labels = propertiesOf(image, 'LABEL');
    expect(labels).toMatchObject({
      'org.opencontainers.image.title': 'Countersign',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    });
  });
});

describe('compose.yaml', () => {
  it('runs the servers with a root that cannot be written and without capabilities', () => {
    for (const name of SERVERS) {
      expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], image: 'countersign' });
    }
  });

  it('mounts only files that exist, and secrets that its script makes', () => {
    const mounted = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':', 1)[0] ?? '');
    expect(mounted.length).toBeGreaterThan(2);
    expect(mounted.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    const made = makeSecrets();
    const wanted = Object.values(compose.secrets).map(({ file }) => file.replace('./secrets/', ''));
    expect(wanted.filter((name) => !existsSync(join(made, name)))).toEqual([]);
    for (const { secrets = [] } of Object.values(compose.services))
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
  });

  it('its nginx knows the servers by the names of their services', () => {
    const nginx = readFileSync(join(ROOT, 'deploy/compose/nginx.conf'), 'utf8');
    const upstreams = [...nginx.matchAll(/server ([\w-]+):(\d+) /g)].map(([, name, port]) => [name, port]);
    // Files in the container would be neither shown by Docker nor ever deleted.
    expect([...nginx.matchAll(/_log (\/\S+)/g)].map(([, file]) => file)).toEqual(['/dev/stdout', '/dev/stderr']);
    expect(upstreams).toEqual([
      ['server-1', compose.services['server-1']?.environment.PORT],
      ['server-2', compose.services['server-2']?.environment.PORT],
    ]);
    expect(nginx).toMatch(/listen 443 ssl;\n +http2 on;/);
  });

  it('lets doctor read the notes of all servers: one folder for all, and a port for each', () => {
    for (const name of SERVERS) expect(compose.services[name]?.volumes).toContain('data:/data');
    expect(propertiesOf(image, 'ENV').DATA_DIR).toBe('/data');
    const ports = ['server-1', 'server-2'].map((name) => compose.services[name]?.environment.PORT);
    expect(new Set(ports).size).toBe(2);
  });

  it('builds the image once, for all services that run it', () => {
    const built = Object.entries(compose.services).filter(([, service]) => service.build !== undefined);
    expect(built.map(([name, service]) => [name, service.image])).toEqual([['migrate', 'countersign']]);
  });

  it('waits for a database that answers over TCP, not for the temporary one of its first start', () => {
    expect(compose.services.postgres?.healthcheck?.test.join(' ')).toContain('pg_isready --host 127.0.0.1 ');
  });
});

describeWith(['postgres', 'redis'], 'the steps of the Dockerfile, in an empty folder', () => {
  const folder = newImageFolder();

  beforeAll(async () => {
    const built = newImageFolder();
    const isFull = extent({ full: 1, short: 0 }) === 1;
    // The short form takes the tarball that this tree packs.
    const tarballs = isFull ? undefined : temporaryFolder(tmpdir());
    if (tarballs !== undefined) await pack(tarballs, ['@countersign/server']);
    const steps = build.steps.map(({ keyword, text }) => ({
      keyword,
      text: tarballs === undefined ? text : text.replace('/build/tarballs', tarballs),
    }));
    const skipped = (text: string) => !isFull && (text === '. .' || text === 'npm run pack');
    carryOut({ ...build, steps }, built, {}, skipped);
    // Debian's packages belong to the image, not to this machine.
    carryOut(image, folder, { build: built }, (text) => text.startsWith('apt-get '));
  }, 600_000);

  it('make a program that migrates and serves with the environment of compose.yaml, read-only but for its volumes', async () => {
    const postgres = await startPostgres({ fsync: false });
    const redis = await startRedis();
    const secrets = makeSecrets();
    replaceSecret(join(secrets, 'database_url'), await postgres.createDatabase());
    const volumes = (JSON.parse(stepOf(image, 'VOLUME').text) as string[]).map((volume) => folder.here(volume));
    const { command: before, isReadOnly } = startAs(USER, volumes);
    const port = await freePort();
    const environmentOf = (name: (typeof SERVERS)[number]): Environment => {
      const env: Environment = { ...propertiesOf(image, 'ENV'), ...compose.services[name]?.environment };
      const changed = Object.entries(env).map(([key, value]) => [
        key,
        value
          .replace('/run/secrets', secrets)
          .replace('redis://redis:6379', redis.url)
          .replace(/\$\{PUBLIC_NAME:-\w+\}/, 'verify.example'),
      ]);
      return environmentIn(folder, {
        ...Object.fromEntries(changed),
        PORT: String(port),
        STOP_DELAY_SECONDS: '0',
      });
    };
    const [entry = ''] = execForm(stepOf(image, 'ENTRYPOINT'));
    const commandOf = (args: readonly string[]) => [
      ...before,
      folder.here(`/opt/countersign/bin/${entry}`),
      ...args,
    ];
    const runIn = (args: readonly string[]) => {
      const [program = '', ...rest] = commandOf(args);
      return run(program, rest, { env: environmentOf('migrate') });
    };

    const migrated = await runIn(compose.services.migrate?.command ?? []);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    const created = await runIn(['client', 'create', '--name', 'Acme', '--plan', 'standard', '--json']);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const issued = await runIn(['key', 'create', '--client', id, '--permissions', '*', '--json']);
    const { key } = JSON.parse(issued.stdout) as { key: string };

    const [program = '', ...rest] = commandOf(execForm(stepOf(image, 'CMD')));
    const server = start(program, rest, { env: environmentOf('server-1') });
    await server.says(/"listening"/);
    const answer = await createApiClient(`http://127.0.0.1:${port}/api/v1`, key).post(newSubject('subject-1'));
    expect(answer.status).toBe(201);
    expect(await healthCheck(folder, environmentOf('server-1'))).toBe(0);
    expect(uidOf(server.pid)).toBe(isReadOnly ? USER.split(':')[0] : String(process.getuid?.()));
    if (isReadOnly) expect(mountOptionsOf(server.pid, '/')).toContain('ro');

    server.signal('SIGTERM');
    expect(await server.finished).toMatchObject({ code: 0 });
    expect(await healthCheck(folder, environmentOf('server-1'))).toBe(1);
    await redis.stop();
    await postgres.stop();
  });
});

/** Runs the script of compose.yaml. Returns the folder, which the user of the image can enter here. */
function makeSecrets(): string {
  const folder = join(temporaryFolder(tmpdir()), 'secrets');
  const script = join(ROOT, 'deploy/compose/make-secrets.sh');
  execFileSync('/bin/sh', [script, 'verify.example', folder], { stdio: 'pipe' });
  const before = readFileSync(join(folder, 'secret_keys'));
  // A second run replaces nothing.
  execFileSync('/bin/sh', [script, 'verify.example', folder], { stdio: 'pipe' });
  expect(readFileSync(join(folder, 'secret_keys'))).toEqual(before);
  execFileSync('chmod', ['0755', folder, join(folder, '..')]);
  return folder;
}

/** Returns the patterns of an ignore file, without comments. */
function patternsOf(file: string): readonly string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function replaceSecret(file: string, text: string): void {
  execFileSync('chmod', ['0644', file]);
  writeFileSync(file, `${text}\n`);
}

/** Runs the HEALTHCHECK and returns its exit code. */
async function healthCheck(folder: ImageFolder, env: Environment): Promise<number | null> {
  const [program = '', ...args] = execForm(stepOf(image, 'HEALTHCHECK'));
  const { code } = await run(join(folder.path, 'usr/local/bin', program), args, { env });
  return code;
}

function uidOf(pid: number): string | undefined {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

function mountOptionsOf(pid: number, place: string): readonly string[] {
  const lines = readFileSync(`/proc/${pid}/mounts`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  return lines.findLast(([, at]) => at === place)?.[3]?.split(',') ?? [];
}
