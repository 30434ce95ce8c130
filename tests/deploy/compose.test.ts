import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compose, makeSecrets, SERVERS } from './compose.ts';
import { execForm, propertiesOf, ROOT, readStages, type Stage, stepOf } from './dockerfile.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const [, image] = readStages() as [Stage, Stage];

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
    expect(stepOf(image, 'USER').text).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
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

/** Returns the patterns of an ignore file, without comments. */
function patternsOf(file: string): readonly string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
