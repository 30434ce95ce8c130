import { describe } from 'vitest';
import { isCi } from '../ci.ts';
import { chromiumProgram } from './chromium-program.ts';
import { postgresBinaries, postgresWithTools } from './postgres-binaries.ts';
import { programOnPath } from './program-on-path.ts';

export type ServerKind =
  | 'postgres'
  | 'postgres-tools'
  | 'redis'
  | 'pgbouncer'
  | 'nginx'
  | 'caddy'
  | 'haproxy'
  | 'systemd-analyze'
  | 's3'
  | 'chromium'
  | 'curl'
  | 'python3'
  | 'go'
  | 'maven';

/** Declares a suite that needs servers, a browser, curl or compilers. If one is missing, its tests are skipped and its name says why. */
export function describeWith(kinds: readonly ServerKind[], name: string, body: () => void): void {
  const missing = whatIsMissing(...kinds);
  const title = missing === undefined ? name : `${name} [${missing}]`;
  describe.skipIf(missing !== undefined)(title, () => {
    body();
  });
}

/** Returns why tests cannot use these programs; undefined if they can. With CI set, throws if a program is missing. */
export function whatIsMissing(...kinds: readonly ServerKind[]): string | undefined {
  // Off in mutation runs, where each mutant would start the servers again.
  if (kinds.length > 0 && process.env.TEST_SERVERS === 'off') return 'TEST_SERVERS is off';
  const reasons = kinds.map((kind) => checks[kind]()).filter((reason) => reason !== undefined);
  if (reasons.length === 0) return undefined;
  const missing = reasons.join('; ');
  if (isCi(process.env)) throw new Error(`${missing}. With CI set, all programs are required.`);
  return missing;
}

const checks: Record<ServerKind, () => string | undefined> = {
  postgres: () =>
    process.env.TEST_POSTGRES_URL || postgresBinaries() !== undefined
      ? undefined
      : 'no Postgres for this platform: set TEST_POSTGRES_URL',
  'postgres-tools': () =>
    postgresWithTools() === undefined
      ? 'no pg_dump beside a server of its version: install Debian’s postgresql'
      : undefined,
  redis: () =>
    process.env.TEST_REDIS_URL || programOnPath('redis-server') !== undefined
      ? undefined
      : 'redis-server is not on the PATH: install it or set TEST_REDIS_URL',
  chromium: () =>
    chromiumProgram('camera') === undefined
      ? 'chromium is not on the PATH: install it or set TEST_CHROMIUM to a Chrome'
      : undefined,
  pgbouncer: () =>
    programOnPath('pgbouncer') === undefined ? 'pgbouncer is not on the PATH: install it' : undefined,
  s3: () =>
    programOnPath('versitygw') === undefined
      ? 'versitygw is not on the PATH: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0'
      : undefined,
  go: () => (programOnPath('go') === undefined ? 'go is not on the PATH: install Go' : undefined),
  maven: () =>
    programOnPath('mvn') === undefined || programOnPath('javac') === undefined
      ? 'mvn or javac is not on the PATH: install Maven and a JDK'
      : undefined,
  python3: () => (programOnPath('python3') === undefined ? 'python3 is not on the PATH: install it' : undefined),
  'systemd-analyze': () =>
    programOnPath('systemd-analyze') === undefined
      ? 'systemd-analyze is not on the PATH: it needs systemd'
      : undefined,
  nginx: () => (programOnPath('nginx') === undefined ? 'nginx is not on the PATH: install it' : undefined),
  caddy: () => (programOnPath('caddy') === undefined ? 'caddy is not on the PATH: install it' : undefined),
  haproxy: () => (programOnPath('haproxy') === undefined ? 'haproxy is not on the PATH: install it' : undefined),
  curl: () => (programOnPath('curl') === undefined ? 'curl is not on the PATH: install it' : undefined),
};
