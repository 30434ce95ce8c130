// Starts four servers: rights, and the jobs that follow a start, show with real ones only.
import { idOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { newMemberByLink } from '@countersign/test-support/pages/staff-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersignHere, runCountersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import {
  describeWith,
  grantServerRole,
  type PostgresServer,
  startPostgres,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Postgres's code. */
const PERMISSION_DENIED = '42501';

/** No other value of the database contains it. */
const CANARY = 'canary-of-the-subject';

describeWith(['postgres'], 'servers whose role owns no tables', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  async function givenMigrated(): Promise<string> {
    const url = await postgres.createDatabase();
    await countersignHere(['migrate'], { DATABASE_URL: url, DATA_DIR: temporaryFolder() });
    return url;
  }

  const serve = (env: Environment, dataDir = temporaryFolder()) =>
    startServer({ dataDir, env: { ...env, MIGRATE: 'off' } });

  /** Settings of a server. Before Postgres 17, only the owner can analyze. */
  async function documentedSettings(url: string): Promise<Environment> {
    const limited = { DATABASE_URL: await grantServerRole(url) };
    const [version] = await withDatabase(
      url,
      (sql) => sql<{ isOld: boolean }[]>`
        select current_setting('server_version_num')::integer < 170000 as "isOld"`,
    );
    return version?.isOld ? { ...limited, DATABASE_DIRECT_URL: url } : limited;
  }

  /** Erases a verification whose reference the statistics of the planner contain, and starts a server, whose jobs run then. */
  async function givenErased(url: string, env: Environment, server: ServerProcess): Promise<ServerProcess> {
    const { api } = await givenApi(server);
    const id = idOf(await api.post(newSubject(CANARY)));
    await api.post(newSubject('user_2'));
    expect((await api.request(`/verifications/${id}/withdraw`, { method: 'POST' })).status).toBe(200);
    await withDatabase(url, (sql) => sql`analyze`);
    expect(await statistics(url)).toContain(CANARY);
    expect(await countersignHere(['verification', 'erase', id, '--yes'], server.env)).toMatchObject({
      state: 'erased',
    });
    await server.stop();
    return serve(env, server.dataDir);
  }

  const statistics = async (url: string): Promise<string> => {
    const rows = await withDatabase(
      url,
      (sql) =>
        sql<{ line: string }[]>`select stats::text as line from pg_stats as stats where schemaname = 'public'`,
    );
    return rows.map(({ line }) => line).join('\n');
  };

  const doctor = (server: ServerProcess) => runCountersignHere(['doctor'], server.env);

  it('work with the rights that docs/operations.md names, also on erased statistics', async () => {
    const url = await givenMigrated();
    const env = await documentedSettings(url);
    const server = await serve(env);
    const { status } = await (await newMemberByLink(server, { role: 'operator', name: 'Olga' })).get('/admin');
    expect(status).toBe(200);

    const again = await givenErased(url, env, server);
    await again.says(/replaced statistics of tables with erased data/);

    expect(await statistics(url)).not.toContain(CANARY);
    expect(await doctor(again)).toMatchObject({ code: 0, stdout: expect.stringContaining('No problems found') });
    const { stdout } = await again.stop();
    // Of statements of any job, and of the rate limits.
    expect(stdout).not.toContain(PERMISSION_DENIED);
  });

  it('fail the job and are named by doctor where they may not analyze', async () => {
    const url = await givenMigrated();
    const env = { DATABASE_URL: await grantServerRole(url, { without: 'MAINTAIN' }) };
    const server = await serve(env);

    const again = await givenErased(url, env, server);
    await again.says(
      /"reason":"PostgreSQL kept those of verification_events, verifications","msg":"statistics [^"]+ were not replaced/,
    );

    const { code, stdout } = await doctor(again);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /The user server_role may not analyze index_entries, verification_events, verifications, webhook_attempts, [^\n]+/,
    );
    expect(stdout).toMatch(/The job replace_erased_statistics of the server on port \d+ failed/);
  });
});
