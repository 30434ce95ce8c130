import { freePort } from '@countersign/test-support/processes/free-port';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWorkplace, type Workplace } from '../../test-support/workplace.ts';

const oneLine = (text: RegExp) => expect.stringMatching(new RegExp(`^countersign: ${text.source}\n$`));

describeWith(['postgres'], 'a start on Postgres that cannot succeed says why in one line', () => {
  let server: PostgresServer;
  let url: string;
  let workplace: Workplace;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    workplace = openWorkplace();
  });
  afterEach(() => workplace.close());

  const changed = (change: (parsed: URL) => void): string => {
    const parsed = new URL(url);
    change(parsed);
    return parsed.href;
  };

  test('a wrong password', async () => {
    const wrong = changed((parsed) => (parsed.password = 'hunter2'));
    expect(await workplace.refuse({ DATABASE_URL: wrong })).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/The database at [^ ]+ does not let in user [^\n]*(?<!hunter2)/),
    });
  });

  test('a database that is not there', async () => {
    const missing = changed((parsed) => (parsed.pathname = '/nowhere'));
    expect(await workplace.refuse({ DATABASE_URL: missing })).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/There is no database nowhere at [^ ]+: create it first/),
    });
  });

  test('a server that is not there', async () => {
    const port = await freePort();
    expect(await workplace.refuse({ DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${port}/x` })).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(new RegExp(`Nothing answers at 127\\.0\\.0\\.1:${port}: the connection was refused`)),
    });
  });

  test('an address that is none', async () => {
    expect(await workplace.refuse({ DATABASE_URL: 'postgres://u:hunter2@db:port/x' })).toEqual({
      exitCode: 78,
      out: '',
      err: oneLine(/DATABASE_URL is no valid address of PostgreSQL: expected postgres:[^\n]+/),
    });
  });

  test('an address of Redis that is none', async () => {
    expect(await workplace.refuse({ DATABASE_URL: url, REDIS_URL: 'redis://:hunter2@cache:port' })).toEqual({
      exitCode: 78,
      out: '',
      err: oneLine(/REDIS_URL is no valid address of Redis: expected redis:[^\n]+/),
    });
  });

  test('a schema that is not this version’s, where migrating is off, and nothing is made', async () => {
    const empty = await server.createDatabase();
    const outdated = { exitCode: 1, out: '', err: oneLine(/The schema of database [^ ]+ is older [^\n]+/) };
    expect(await workplace.refuse({ DATABASE_URL: empty, MIGRATE: 'off' })).toEqual(outdated);
    expect(await workplace.refuse({ DATABASE_URL: empty, MIGRATE: 'off' })).toEqual(outdated);
  });

  test('a port for metrics that is taken, before anything is served', async () => {
    const other = await workplace.serve({ DATABASE_URL: url });
    expect(await workplace.refuse({ DATABASE_URL: url, METRICS_PORT: String(other.port) })).toEqual({
      exitCode: 78,
      out: '',
      err: oneLine(new RegExp(`METRICS_PORT is ${other.port}: another program listens there, [^\\n]+`)),
    });
  });
});
