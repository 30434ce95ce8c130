import { freePort } from '@countersign/test-support/processes/free-port';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWorkplace, type Workplace } from '../../test-support/workplace.ts';

const oneLine = (text: RegExp) => expect.stringMatching(new RegExp(`^countersign: ${text.source}\n$`));

describeWith(['postgres'], 'serve refuses to start on Postgres with one line', () => {
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

  test('when the password is wrong', async () => {
    const wrong = changed((parsed) => (parsed.password = 'hunter2'));
    expect(await workplace.refuse({ DATABASE_URL: wrong })).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/The database at [^ ]+ does not let in user [^\n]*(?<!hunter2)/),
    });
  });

  test('when the database does not exist', async () => {
    const missing = changed((parsed) => (parsed.pathname = '/nowhere'));
    expect(await workplace.refuse({ DATABASE_URL: missing })).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/There is no database nowhere at [^ ]+: create it first/),
    });
  });

  test('when the server cannot be reached', async () => {
    const port = await freePort();
    expect(await workplace.refuse({ DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${port}/x` })).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(new RegExp(`Nothing answers at 127\\.0\\.0\\.1:${port}: the connection was refused`)),
    });
  });

  test('when DATABASE_URL is invalid', async () => {
    expect(await workplace.refuse({ DATABASE_URL: 'postgres://u:hunter2@db:port/x' })).toEqual({
      exitCode: 78,
      out: '',
      err: oneLine(/DATABASE_URL is not a valid PostgreSQL URL: expected postgres:[^\n]+/),
    });
  });

  test('when REDIS_URL is invalid', async () => {
    expect(await workplace.refuse({ DATABASE_URL: url, REDIS_URL: 'redis://:hunter2@cache:port' })).toEqual({
      exitCode: 78,
      out: '',
      err: oneLine(/REDIS_URL is not a valid Redis URL: expected redis:[^\n]+/),
    });
  });

  test('when MIGRATE is off and the schema is outdated, without migrating it', async () => {
    const empty = await server.createDatabase();
    const outdated = { exitCode: 1, out: '', err: oneLine(/The schema of database [^ ]+ is older [^\n]+/) };
    expect(await workplace.refuse({ DATABASE_URL: empty, MIGRATE: 'off' })).toEqual(outdated);
    expect(await workplace.refuse({ DATABASE_URL: empty, MIGRATE: 'off' })).toEqual(outdated);
  });

  test('when METRICS_PORT is in use', async () => {
    const other = await workplace.serve({ DATABASE_URL: url });
    expect(await workplace.refuse({ DATABASE_URL: url, METRICS_PORT: String(other.port) })).toEqual({
      exitCode: 78,
      out: '',
      err: oneLine(new RegExp(`METRICS_PORT is ${other.port}: another program listens there, [^\\n]+`)),
    });
  });
});
