// Fills a table with 6,000 rows, and changes it between the plan and the statement of a list.
import type { VerificationQuery } from '@countersign/domain/storage';
import { SKEWED_ROWS, type Sorted, skewedRow } from '@countersign/test-support/records/list-pages';
import { LIST } from '@countersign/test-support/records/queries';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { insertListed } from '../../test-support/listed-rows.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { CLIENT } from '../../test-support/records.ts';
import { targetOf } from '../connection/connect-once.ts';
import { createSession, type Session } from '../connection/session.ts';
import { migratePostgres } from '../postgres-storage.ts';
import { READ_DAYS, READ_TOTALS } from './list-counts.ts';
import { createListVerifications } from './verification-lists.ts';

const DEEP_PAGE: VerificationQuery = { ...LIST, offset: 2_500 };
/** The first run has few verifications, so the page has parts of two runs. */
const TWO_RUNS: VerificationQuery = { ...LIST, sortBy: 'status', sortOrder: 'asc' };

describeWith(['postgres'], 'a list whose verifications change between its plan and its statement', () => {
  let server: PostgresServer;
  let url: string;
  let raw: postgres.Sql;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
    await migratePostgres({ url });
    raw = rawConnection((end) => void ends.push(end), url);
    await raw`insert into clients (id, name, created_at) values (${CLIENT.id}, '', now())`;
    const rows = Array.from({ length: SKEWED_ROWS }, (_, n) => skewedRow(n));
    await insertListed(raw, rows);
    await raw.unsafe('analyze');
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await server.stop();
  });

  /** Reads a page, and makes a change before the first statements that read a page. */
  async function listWhile(
    query: VerificationQuery,
    { change, times }: { change: (time: number) => Promise<unknown>; times: number },
  ) {
    const pooled = createSession({
      target: targetOf(url),
      applicationName: 'test',
      size: 1,
      isNamed: true,
      deadlineMs: 5_000,
    });
    onTestFinished(() => pooled.close());
    let statements = 0;
    const session: Session = {
      ...pooled,
      async read(statement, values) {
        const isPage = statement !== READ_TOTALS && statement !== READ_DAYS;
        if (isPage) {
          if (statements < times) await change(statements);
          statements += 1;
        }
        return pooled.read(statement, values);
      },
    };
    const page = await createListVerifications(session)(CLIENT.id, query);
    const calm = await createListVerifications(pooled)(CLIENT.id, query);
    return { page, calm, statements };
  }

  const newest = (time: number) => insertListed(raw, [newestRow(time)]);

  it.each([
    ['new verifications on skipped days', DEEP_PAGE, newest],
    ['a deletion on a skipped day', DEEP_PAGE, () => raw.unsafe(DELETE_NEWEST)],
    ['a change of status in an earlier run', TWO_RUNS, () => raw.unsafe(NO_ACTION_NEEDED)],
  ] as const)('list: is planned again after %s', async (_, query, change) => {
    const { page, calm, statements } = await listWhile(query, { change, times: 1 });

    expect(page).toEqual(calm);
    expect(page.records).toHaveLength(20);
    expect(statements).toBe(2);
  });

  it('list: sorts all matches if every plan was outdated', async () => {
    const { page, calm, statements } = await listWhile(DEEP_PAGE, { change: newest, times: 6 });

    expect(page).toEqual(calm);
    expect(page.records).toHaveLength(20);
    expect(statements).toBe(6);
  });

  it('list: keeps its plan if a change leaves its parts as they are', async () => {
    const { page, calm, statements } = await listWhile(LIST, { change: newest, times: 1 });

    expect(page).toEqual(calm);
    expect(statements).toBe(1);
  });
});

let made = 0;

function newestRow(time: number): Sorted {
  made += 1;
  return {
    ...skewedRow(1),
    id: `bbbbbbbb-0000-7000-8000-${String(made).padStart(12, '0')}`,
    status: 'pending',
    resolvedAt: null,
    subjectReference: `newest_${made}`,
    requestedAt: new Date(Date.UTC(2026, 5, 1 + time)),
  };
}

const DELETE_NEWEST = `
  delete from verifications
  where id in (select id from verifications order by requested_at desc limit 5)`;
const NO_ACTION_NEEDED = "update verifications set status = 'pending' where status = 'action_needed'";
