// Subjects fill every place with pictures that are decoded and read, and servers restart: only a whole installation shows what is left.
import { cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readingsOf } from '@countersign/test-support/installation/canary-courses';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { run } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import {
  describeWith,
  type PostgresServer,
  postgresWithTools,
  startPostgres,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ERASED,
  elsewhere,
  eraseByJob,
  eraseByRequests,
  mailsAbout,
  type Planted,
  plantCanaries,
  restarted,
} from './erasure-canaries/planted.ts';
import {
  expectErasedFromIndex,
  expectUnharmed,
  filesOf,
  type Place,
  placesShowingErased,
  tracesIn,
  tracesOfErased,
  type Unharmed,
  unharmed,
} from './erasure-canaries/shown.ts';

/** Every row of every table of a database as text, and what Postgres keeps of their values for its planner. */
async function* rowsOf(url: string): AsyncGenerator<Place> {
  const tables = await withDatabase(
    url,
    (sql) => sql<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) yield linesOf(url, name);
  yield linesOf(url, STATISTICS);
}

const STATISTICS = 'pg_catalog.pg_stats';

/** Every row of a table or view as text. */
async function linesOf(url: string, name: string): Promise<Place> {
  const lines = await withDatabase(url, (sql) => sql.unsafe(`select t::text as line from ${name} t`));
  return [name, Buffer.from(lines.map(({ line }) => String(line).replaceAll('""', '"')).join('\n'))];
}

describeWith(['postgres-tools'], 'canaries of erased verifications on Postgres', () => {
  const programs = join(postgresWithTools() ?? '', 'bin');
  const path = `${programs}${delimiter}/usr/bin${delimiter}/bin`;
  let postgres: PostgresServer;
  let url: string;
  let planted: Planted;
  let backup: string;
  let before: Unharmed;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false, installation: postgresWithTools() });
    url = await postgres.createDatabase();
    backup = join(temporaryFolder(), 'backup');
    const given = await plantCanaries({
      DATABASE_URL: url,
      SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
      ERASURE_LOG_URL: `file:${join(temporaryFolder(), 'erasures')}`,
      PATH: path,
    });
    expect(await readingsOf(given.server, given.subjects.erasedByRequest.id)).toBeGreaterThan(0);
    before = await unharmed(given);
    await withDatabase(url, (sql) => sql`analyze`);
    // The planner knows labels until they are erased.
    expect(await tracesIn([await linesOf(url, STATISTICS)], tracesOfErased(given))).toContainEqual(
      expect.stringContaining('pg_stats: label person of subject 1'),
    );
    await countersignHere(['backup', backup], given.server.env);
    await eraseByRequests(given);
    // The job that replaces statistics runs hourly, and first when a server has started.
    planted = await restarted(await eraseByJob(given), {});
    await planted.server.says(/replaced statistics of tables with erased data/);
  }, 300_000);
  afterAll(() => postgres.stop());

  /** Runs one of PostgreSQL's programs against the server. */
  async function tool(name: string, ...args: string[]): Promise<string> {
    const { hostname, port, username, password } = new URL(url);
    const env = { PATH: path, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
    const { code, stdout, stderr } = await run(join(programs, name), args, { env });
    if (code !== 0) throw new Error(`${name}: ${stderr}`);
    return stdout;
  }

  it('would be found: the backup made before has all that is not encrypted', async () => {
    const database = `before_${Date.now()}`;
    await tool('createdb', database);
    await tool('pg_restore', '--no-owner', '-d', database, join(backup, 'countersign.dump'));
    const found = await tracesIn(rowsOf(urlOf(database)), tracesOfErased(planted));
    for (const name of ['subjectReference', 'key of metadata', 'return URL', 'Idempotency-Key', 'kept warnings']) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`verifications: ${name} of subject 0 as`)));
    }
    for (const purpose of ['document_number', 'person', 'file']) {
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`index_entries: label ${purpose} of subject 0 as`)),
      );
    }
    expect(found).toContainEqual(expect.stringMatching(/webhook_attempts: response to a webhook of subject 1/));
  });

  const urlOf = (database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;

  it('canaries of erased verifications on Postgres are in no row of any table, nor in the statistics of the planner', async () => {
    expect(await tracesIn(rowsOf(url), tracesOfErased(planted))).toEqual([]);
  });

  it('canaries of erased verifications on Postgres are in no answer of the API, page, delivery, metric or log, nor in the audit log and the files', async () => {
    expect(await tracesIn(placesShowingErased(planted), tracesOfErased(planted))).toEqual([]);
    expect(await tracesIn(filesOf('data', planted.server.dataDir), tracesOfErased(planted))).toEqual([]);
  });

  it('canaries of erased verifications on Postgres are not in the output of pg_dump', async () => {
    const dump = await tool('pg_dump', new URL(url).pathname.slice(1));
    expect(dump).toContain(planted.subjects.erasedByJob.id);
    expect(await tracesIn([['dump', Buffer.from(dump)]], tracesOfErased(planted))).toEqual([]);
  });

  it('canaries of erased verifications on Postgres are in no data file after VACUUM FULL and a checkpoint', async () => {
    const [row] = await withDatabase(url, async (sql) => {
      await sql`vacuum full`;
      await sql`checkpoint`;
      return sql<{ folder: string }[]>`
        select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()`;
    });
    const files = [...filesOf('base', row?.folder ?? '')];
    const kept = planted.subjects.kept.canaries.traces().filter(({ name }) => name.startsWith('subjectReference'));
    expect(await tracesIn(files, kept)).not.toEqual([]);
    expect(await tracesIn(files, tracesOfErased(planted))).toEqual([]);
  });

  it('readings of erased verifications on Postgres are gone, while those of others stay', async () => {
    const { server, subjects } = planted;
    for (const name of ERASED) expect([name, await readingsOf(server, subjects[name].id)]).toEqual([name, 0]);
    expect(await readingsOf(server, subjects.kept.id)).toBeGreaterThan(0);
  });

  it('labels of erased verifications on Postgres are gone from the index, while those of others stay', async () => {
    await expectErasedFromIndex(planted);
  });

  it('canaries of erased verifications on Postgres are in no mail that waits, while those about other verifications wait on', async () => {
    const { server, subjects } = planted;
    for (const name of ERASED) expect([name, await mailsAbout(server, subjects[name].id)]).toEqual([name, 0]);
    expect(await mailsAbout(server, subjects.kept.id)).toBeGreaterThan(0);
  });

  it('erasures on Postgres leave other verifications readable and every count as it was, and the audit log goes on', async () => {
    await expectUnharmed(planted, before);
  });

  it.each(['restore', 'a copy of the files'])(
    'canaries of erased verifications on Postgres are in no row and no file of the backup after %s and its first start',
    async (how) => {
      const database = how === 'restore' ? 'restored' : 'copied';
      const dataDir = temporaryFolder();
      const env = elsewhere(planted, { DATA_DIR: dataDir, DATABASE_URL: urlOf(database) });
      await tool('createdb', database);
      await tool('pg_restore', '--exit-on-error', '--no-owner', '-d', database, join(backup, 'countersign.dump'));
      if (how === 'restore')
        expect(await countersignHere(['restore', backup], env)).toMatchObject({ erasuresApplied: 3 });
      else cpSync(join(backup, 'evidence'), join(dataDir, 'evidence'), { recursive: true });
      const server = await startServer({ dataDir, env });

      expect(await tracesIn(rowsOf(urlOf(database)), tracesOfErased(planted))).toEqual([]);
      expect(await tracesIn(filesOf('data', dataDir), tracesOfErased(planted))).toEqual([]);
      expect(await countersignHere(['audit', 'verify'], server.env)).toMatchObject({ outcome: 'intact' });
      await server.stop();
    },
  );
});
