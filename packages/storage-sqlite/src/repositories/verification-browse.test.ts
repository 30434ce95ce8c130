// Reads every page of 10,000 verifications.
import type { BrowsePosition, BrowseQuery, VerificationRecord } from '@countersign/domain/storage';
import { BROWSE, QUEUE } from '@countersign/test-support/records/queries';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { planOf } from '../../test-support/plan-of.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createSession } from '../connection/session.ts';
import { createReaderThread } from '../reader/reader-thread.ts';
import type { RunLongRead } from './long-read-kinds.ts';
import { longReadsOn } from './long-reads.ts';
import { createVerificationRepository } from './verification-repository.ts';

const ROWS = 10_000;
const FIRST = Date.UTC(2026, 2, 1);

/** Each moment has three of them, so that ids must break ties; references are spread over all of it. */
const MAKE_MANY = `
  WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
  INSERT INTO verifications (client_id, id, type, subject_reference, status, requested_at, current_step, version,
    link_version, link_expires_at, metadata, answers, review_data, flow_version,
    event_count)
  SELECT client_id, printf('v-%05d', n * 7919 % ${ROWS}), iif(n % 2, 'kyc', 'kyb'), 'user_' || n, status,
    ${FIRST} + n / 3 * 60000, 0, 1, 1, 1, '{"n":1}', '{"secret":1}', '{"note":1}', 1, 1
  FROM numbers, verifications WHERE id = 'verification-1'`;

let file: string;
let ordered: { id: string; reference: string; type: string; at: number }[];
beforeAll(async () => {
  const cleanups: (() => void)[] = [];
  const afterwards = (clean: () => void) => void cleanups.push(clean);
  file = await givenDatabase(afterwards);
  const connection = rawConnection(afterwards, file);
  connection.exec(MAKE_MANY);
  ordered = connection
    .prepare<[], (typeof ordered)[number]>(
      'SELECT id, subject_reference AS reference, type, requested_at AS at FROM verifications',
    )
    .all()
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return () => {
    for (const clean of cleanups.toReversed()) clean();
  };
});

it('browse: consecutive pages return all 10,000 verifications once, in order, with the total', async () => {
  const verifications = repository();
  const found: string[] = [];
  let after: BrowsePosition | undefined;
  for (;;) {
    const page = await verifications.browse(CLIENT.id, { ...BROWSE, after, limit: 700 });
    expect(page.totalCount).toBe(ROWS);
    found.push(...page.records.map(({ id }) => id));
    after = page.records.at(-1);
    if (page.records.length < 700) break;
  }

  expect(found).toEqual(ordered.map(({ id }) => id));
});

it('browse: a record has every field except answers and reviewData', async () => {
  const { records } = await repository().browse(CLIENT.id, { ...BROWSE, subjectReferencePrefix: 'user_17' });
  const [record] = records as [VerificationRecord];

  expect(record).toEqual({
    ...(await repository().find(CLIENT.id, record.id)),
    answers: {},
    reviewData: {},
  });
  expect(record.metadata).toEqual({ n: 1 });
});

const [early, late] = [new Date(FIRST + 9_000_000), new Date(FIRST + 90_000_000)];

it.each<[string, Partial<BrowseQuery>]>([
  ['few references', { subjectReferencePrefix: 'user_77' }],
  [
    'few references of one type in a span',
    { subjectReferencePrefix: 'user_7', type: 'kyb', requestedFrom: early, requestedUntil: late },
  ],
  ['many references', { subjectReferencePrefix: 'user_1' }],
  ['nearly all references', { subjectReferencePrefix: 'user_' }],
  [
    'many references of one type in a span',
    { subjectReferencePrefix: 'user_1', type: 'kyc', requestedFrom: early, requestedUntil: late },
  ],
  ['no references', { subjectReferencePrefix: 'USER_' }],
  ['all references', { subjectReferencePrefix: '' }],
  ['a span', { requestedFrom: early, requestedUntil: late }],
  ['the time before', { requestedUntil: early }],
  ['the time after, of one type', { requestedFrom: late, type: 'kyb' }],
])('browse by %s: the page after any position and the total are correct', async (_, filter) => {
  const matching = ordered.filter(
    ({ reference, type, at }) =>
      reference.startsWith(filter.subjectReferencePrefix ?? '') &&
      (filter.type === undefined || type === filter.type) &&
      at >= (filter.requestedFrom?.getTime() ?? 0) &&
      at < (filter.requestedUntil?.getTime() ?? Infinity),
  );
  for (const place of [undefined, ...[1, 55, 500, 5_000, 9_998].map((n) => ordered[n])]) {
    const after = place && { requestedAt: new Date(place.at), id: place.id };
    const following = place === undefined ? 0 : ordered.indexOf(place) + 1;
    const expected = ordered.slice(following).filter((one) => matching.includes(one));

    const page = await repository().browse(CLIENT.id, { ...BROWSE, ...filter, after });

    expect(page.records.map(({ id }) => id)).toEqual(expected.slice(0, 20).map(({ id }) => id));
    expect(page.totalCount).toBe(matching.length);
  }
});

const deep = (n: number): BrowsePosition => {
  const { at, id } = ordered[n] ?? expect.fail('no such place');
  return { requestedAt: new Date(at), id };
};
const COUNTS = 'SEARCH verification_counts USING INDEX sqlite_autoindex_verification_counts_1 (client_id=?)';
const GROUP =
  'SEARCH verifications USING COVERING INDEX verifications_groups (client_id=? AND status=? AND type=? AND requested_at>? AND (requested_at,id)<(?,?))';
const MERGED = ['MERGE (UNION ALL)', 'LEFT', GROUP, 'RIGHT'];
const RECORDS = 'SEARCH verifications USING INTEGER PRIMARY KEY (rowid=?)';

it.each<[string, (query: BrowseQuery) => BrowseQuery, string[]]>([
  ['the first page', (query) => query, MERGED],
  ['a page deep in 10,000', (query) => ({ ...query, after: deep(9_000) }), MERGED],
  [
    'a page of one status and type deep in a span',
    (query) => ({
      ...query,
      status: 'pending',
      type: 'kyc',
      requestedFrom: early,
      requestedUntil: late,
      after: deep(9_500),
    }),
    [GROUP],
  ],
])(
  'query plan: %s starts in the index of groups, without sorting, and is counted by day',
  async (_, query, plan) => {
    expect(await browsePlan(query(BROWSE))).toEqual([COUNTS, ...plan, RECORDS]);
  },
);

it('query plan: few references with a prefix are looked up and sorted, many are compared in page order', async () => {
  const byReference =
    'INDEX verifications_one_active (client_id=? AND subject_reference>? AND subject_reference<?)';

  const few = await browsePlan({ ...BROWSE, subjectReferencePrefix: 'user_77' });
  expect(few).toContain('USE TEMP B-TREE FOR ORDER BY');
  expect(few.filter((step) => step.includes('subject_reference'))).toEqual([
    `SEARCH verifications USING COVERING ${byReference}`,
    `SEARCH verifications USING ${byReference}`,
  ]);
  const many = await browsePlan({ ...BROWSE, subjectReferencePrefix: 'user_', after: deep(100) });
  expect(many).not.toContain('USE TEMP B-TREE FOR ORDER BY');
  expect(many.filter((step) => step.includes('subject_reference'))).toEqual([
    `SEARCH verifications USING COVERING ${byReference}`,
  ]);
  expect(many).toEqual(expect.arrayContaining([...MERGED, RECORDS]));
});

it('browse: many references with a prefix that the newest verifications do not have are found in order', async () => {
  // A prefix of the oldest: those of numbers from 2 to 2999 are requested before all others.
  const connection = rawConnection(onTestFinished, file);
  connection.exec(
    `UPDATE verifications SET subject_reference = 'old_' || id WHERE requested_at < ${FIRST + 999 * 60_000}`,
  );
  onTestFinished(() => void connection.exec("UPDATE verifications SET subject_reference = 'user_' || rowid"));
  const old = ordered.filter(({ at }) => at < FIRST + 999 * 60_000);

  const page = await repository().browse(CLIENT.id, { ...BROWSE, subjectReferencePrefix: 'old_' });
  const ofType = await repository().browse(CLIENT.id, {
    ...BROWSE,
    subjectReferencePrefix: 'old_',
    type: 'kyb',
  });

  expect(page.records.map(({ id }) => id)).toEqual(old.slice(0, 20).map(({ id }) => id));
  expect(page.totalCount).toBe(old.length);
  expect(ofType.totalCount).toBe(old.filter(({ type }) => type === 'kyb').length);
});

it('browse: a search among more than 10,000 verifications is read apart, other pages are not', async () => {
  rawConnection(onTestFinished, file).exec('UPDATE verification_counts SET approved = approved + 1');
  onTestFinished(
    () => void rawConnection(onTestFinished, file).exec('UPDATE verification_counts SET approved = 0'),
  );
  const { verifications, kinds } = repositoryWithThread();

  const page = await verifications.browse(CLIENT.id, { ...BROWSE, subjectReferencePrefix: 'user_99' });
  expect(kinds).toEqual(['browse']);
  await verifications.browse(CLIENT.id, BROWSE);
  expect(kinds).toEqual(['browse']);

  const matching = ordered.filter(({ reference }) => reference.startsWith('user_99'));
  expect(page.records.map(({ id }) => id)).toEqual(matching.slice(0, 20).map(({ id }) => id));
  expect(page.totalCount).toBe(matching.length);
});

it.each([
  ['of one type', { status: 'submitted', type: 'kyb' }, ['queue']],
  ['of pending verifications', { status: 'pending' }, ['queue']],
  ['of live clients', { status: 'submitted', liveOnly: true }, ['queue']],
  ['without a filter', { status: 'submitted' }, []],
] as const)('queue: a page %s is read where it may take long', async (_, query, apart) => {
  const { verifications, kinds } = repositoryWithThread();
  const page = { ...QUEUE, ...query, limit: 20, countUpTo: 1_000 };

  const found = await verifications.queue(page);

  expect(kinds).toEqual(apart);
  expect(found).toEqual(await repository().queue(page));
});

/** Returns a repository with a reader thread, and the kinds of reads that it has run there. */
function repositoryWithThread() {
  const reader = createReaderThread(file);
  onTestFinished(reader.close);
  const kinds: string[] = [];
  const verifications = repository((kind, ...given) => {
    kinds.push(kind);
    return reader.run(kind, ...given);
  });
  return { verifications, kinds };
}

function repository(runApart?: RunLongRead) {
  const connection = rawConnection(onTestFinished, file);
  return createVerificationRepository(
    createSession(connection, { waitMs: 0 }),
    runApart ?? longReadsOn(connection),
  );
}

/** Each step once: a page looks up each of its records. */
async function browsePlan(query: BrowseQuery): Promise<string[]> {
  const plan = await planOf(onTestFinished, file, (session) =>
    createVerificationRepository(session).browse(CLIENT.id, query),
  );
  return [...new Set(plan)];
}
