import type { AuditQuery, DataKeyRepository, QueueQuery, VerificationQuery } from '@countersign/domain/storage';
import { LIST, QUEUE } from '@countersign/test-support/records/queries';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';
import { planOf as planOfFile } from '../test-support/plan-of.ts';
import { CLIENT } from '../test-support/records.ts';
import type { Session } from './connection/session.ts';
import { createApiKeyRepository } from './repositories/api-key-repository.ts';
import { createAuditLog } from './repositories/audit-log.ts';
import { createClientRepository } from './repositories/client-repository.ts';
import { createDataKeyRepository } from './repositories/data-key-repository.ts';
import { createIndexRepository } from './repositories/index-repository.ts';
import { longReadsOn } from './repositories/long-reads.ts';
import { createVerificationRepository } from './repositories/verification-repository.ts';

const GROUPS_BY_REQUEST =
  'COVERING INDEX verifications_groups (client_id=? AND status=? AND type=? AND requested_at>? AND (requested_at,id)<(?,?))';

it.each([
  ['a key by its hash', resolve, ['api_keys_hash (hash=?)', 'sqlite_autoindex_subscriptions_1 (client_id=?)']],
  ['a verification', find, ['sqlite_autoindex_verifications_1 (id=?)']],
  ['the client of a verification', clientOf, ['sqlite_autoindex_verifications_1 (id=?)']],
  [
    'a history',
    findWithHistory,
    [
      'sqlite_autoindex_verification_events_1 (verification_id=? AND version=?)',
      'verification_events_history (verification_id=?)',
    ],
  ],
  ['an Idempotency-Key', findByKey, ['verifications_idempotency_key (client_id=? AND idempotency_key=?)']],
  ['a page in the default order', list({}), [GROUPS_BY_REQUEST]],
  ['a page of one status', list({ status: 'pending' }), [GROUPS_BY_REQUEST]],
  [
    'a page of one subject',
    list({ subjectReference: 'subject-1' }),
    [
      'INDEX verifications_one_active (client_id=? AND subject_reference=?)',
      'COVERING INDEX verifications_one_active (client_id=? AND subject_reference=?)',
    ],
  ],
  ['the data key of a verification', findDataKey, ['sqlite_autoindex_verifications_1 (id=?)']],
  ['a page of data keys after another', listDataKeys, ['sqlite_autoindex_verifications_1 (id>?)']],
  [
    'a data key of the next wrapping key',
    (session) => dataKeysOf(session).listOneOfEachKey(10),
    ['verifications_wrapping_keys (data_key_wrapped_by>?)'],
  ],
  [
    'verifications with a label',
    findLabels,
    [
      'EXISTS USING COVERING INDEX sqlite_autoindex_index_entries_1 (client_id=? AND purpose=? AND label=?)',
      'SEARCH index_entries USING COVERING INDEX sqlite_autoindex_index_entries_1 (client_id=? AND purpose=? AND label=?)',
    ],
  ],
  ['a replaced data key', replaceDataKey, ['sqlite_autoindex_verifications_1 (id=?)']],
  ['a reviewer’s verification', findForReview, ['sqlite_autoindex_verifications_1 (id=?)']],
])('query plan: %s uses its index', async (_, read, ways) => {
  const plan = await planOf(read);

  for (const way of ways) expect(plan).toContainEqual(expect.stringContaining(way));
  // The list of a parameter is read whole.
  const scans = plan.filter((step) => step.startsWith('SCAN') && !step.startsWith('SCAN json_each'));
  expect(scans.filter((step) => !step.includes('USING INDEX'))).toEqual([]);
});

it.each([CLIENT.id, undefined])(
  'query plan: a short reference of client %j reads ranges of ids',
  async (clientId) => {
    const plan = await planOf((session) =>
      createVerificationRepository(session).findByShortReference({ reference: '7K3F-92QD', clientId, limit: 10 }),
    );

    expect(plan).toEqual([
      'SCAN range VIRTUAL TABLE INDEX 1:',
      'SEARCH verifications USING INDEX sqlite_autoindex_verifications_1 (id>? AND id<?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ]);
  },
);

it('query plan: the clients with a reference are looked up in the index of subjects', async () => {
  expect(await planOf(clientsWithReference)).toEqual([
    'SCAN json_each VIRTUAL TABLE INDEX 1:',
    'SEARCH verifications EXISTS USING COVERING INDEX verifications_one_active (client_id=? AND subject_reference=?)',
  ]);
});

it('query plan: endings are looked up in the index of the history', async () => {
  const asked = [{ clientId: CLIENT.id, verificationId: 'verification-1' }];
  expect(await planOf((session) => createVerificationRepository(session).findEndings(asked))).toEqual([
    'SCAN one VIRTUAL TABLE INDEX 1:',
    'SEARCH verification_events USING INDEX verification_events_history (verification_id=?)',
  ]);
});

const QUEUE_INDEX = 'verifications_queue (status=?';
const CLAIMS_INDEX = 'verifications_claims (claimed_by=?';
const AFTER = { submittedAt: new Date(1), id: 'verification-2' };

it.each<[string, Partial<QueueQuery>, string]>([
  ['all verifications', {}, QUEUE_INDEX],
  ['all verifications after a position', { after: AFTER }, QUEUE_INDEX],
  ['unclaimed verifications', { claimedBy: null }, QUEUE_INDEX],
  ['verifications of live clients', { liveOnly: true }, QUEUE_INDEX],
  ['claimed verifications of live clients', { claimedBy: 'reviewer', liveOnly: true }, CLAIMS_INDEX],
  ['unclaimed verifications of one type', { claimedBy: null, type: 'kyb' }, QUEUE_INDEX],
  ['decided verifications', { status: 'approved' }, QUEUE_INDEX],
  ['claimed verifications', { claimedBy: 'reviewer' }, CLAIMS_INDEX],
  ['claimed verifications after a position', { claimedBy: 'reviewer', after: AFTER }, CLAIMS_INDEX],
])('query plan: the queue of %s is read in index order', async (_, query, index) => {
  const plan = await planOf(queue(query));

  const first = query.after === undefined ? 'submitted_at>?' : '(submitted_at,id)>(?,?)';
  const searches = plan.filter((step) => step.includes(index));
  expect(searches[0]).toContain(`${index} AND ${first})`);
  expect(searches[1]).toContain(`${index} AND submitted_at=? AND id>?)`);
  // The total.
  expect(searches[2]).toContain(`${index})`);
  expect(plan.filter((step) => step.includes('B-TREE'))).toEqual([]);
  expect(
    plan.filter((step) => step.startsWith('SCAN') && step !== 'SCAN (subquery-1)' && step !== 'SCAN (subquery-2)'),
  ).toEqual([]);
});

it.each([
  ['warned of', { isWarned: true }, 'warned'],
  ['submitted again', { isResubmitted: true }, 'resubmitted'],
  ['submitted again and warned of', { isResubmitted: true, isWarned: true }, 'resubmitted'],
])('query plan: the queue of what is %s is read in the order of its own index', async (_, filter, index) => {
  const plan = await planOf(queue({ ...filter, after: AFTER }));

  const searches = plan.filter((step) => step.includes(`INDEX verifications_${index} (`));
  expect(searches[0]).toContain('(submitted_at,id)>(?,?)');
  expect(plan.filter((step) => step.includes('B-TREE'))).toEqual([]);
});

it('query plan: the queue of a client with few verifications sorts those of its group', async () => {
  const plan = await planOf(queue({ clientId: CLIENT.id, type: 'kyc' }));

  expect(plan).toContainEqual(
    expect.stringContaining('INDEX verifications_groups (client_id=? AND status=? AND type=?)'),
  );
  expect(plan).toContain('USE TEMP B-TREE FOR ORDER BY');
  expect(plan.join()).not.toContain('verifications_queue');
});

it('query plan: the queue of pending verifications looks through some ids, and then sorts them all', async () => {
  expect(await planOf(queue({ status: 'pending', claimedBy: null }))).toEqual([
    'CO-ROUTINE verifications',
    'SEARCH verifications USING INDEX sqlite_autoindex_verifications_1 (id>?)',
    'SCAN verifications',
    'SCAN verifications USING COVERING INDEX verifications_groups',
    'USE TEMP B-TREE FOR ORDER BY',
    'CO-ROUTINE (subquery-1)',
    'SCAN verification_counts',
    'SCAN (subquery-1)',
    'SEARCH verifications USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});

it.each([
  ['the first page', undefined, 'name_key>? AND name_key<?'],
  ['a later page', { name: 'Client 7', id: 'client-7' }, '(name_key,id)>(?,?) AND name_key<?'],
])('query plan: %s of the clients by name is read in index order', async (_, after, range) => {
  const plan = await planOf((session) =>
    createClientRepository(session).search({ namePrefix: 'c', after, limit: 20, countUpTo: 1_000 }),
  );

  expect(plan[0]).toMatch(/^SEARCH clients USING INDEX clients_by_name/);
  expect(plan[0]).toContain(range);
  expect(plan.filter((step) => step.includes('B-TREE'))).toEqual([]);
});

it('a new verification adds no entry to the indexes of the queue, of the review and of sandboxes', async () => {
  const connection = rawConnection(onTestFinished, await givenDatabase(onTestFinished, { verifications: 3 }));
  const entriesOf = (index: string, condition: string): unknown =>
    connection.prepare(`SELECT count(*) FROM verifications INDEXED BY ${index} WHERE ${condition}`).pluck().get();

  expect(entriesOf('verifications_queue', "status <> 'pending'")).toBe(0);
  expect(entriesOf('verifications_reviewed', 'submitted_at IS NOT NULL')).toBe(0);
  const due = "sandbox_outcome IS NOT NULL AND status IN ('pending', 'submitted')";
  expect(entriesOf('verifications_sandbox_due', due)).toBe(0);
});

it('query plan: due sandbox verifications are read in index order, without sorting', async () => {
  expect(await planOf((session) => createVerificationRepository(session).dueInSandbox(10))).toEqual([
    'SCAN verifications USING INDEX verifications_sandbox_due',
    'SEARCH clients USING INDEX sqlite_autoindex_clients_1 (id=?)',
  ]);
});

it('query plan: verifications due for expiry are read in index order, from the range of each group', async () => {
  const request = { linkEndedBy: new Date(1), requestedBy: new Date(1), limit: 10 };
  expect(await planOf((session) => createVerificationRepository(session).dueForExpiry(request))).toEqual([
    'SCAN clients USING COVERING INDEX sqlite_autoindex_clients_1',
    'SEARCH verifications USING INDEX verifications_groups (client_id=? AND status=? AND type=? AND requested_at<?)',
  ]);
});

it('query plan: the review of a client reads two ranges of its index, and no row', async () => {
  const query = { clientId: CLIENT.id, days: { from: 30, until: 60 }, comparedFrom: 0 };
  expect(await planOf((session) => createVerificationRepository(session).reviewActivity(query))).toEqual([
    'COMPOUND QUERY',
    'LEFT-MOST SUBQUERY',
    'SEARCH verifications USING COVERING INDEX verifications_reviewed (client_id=? AND resolved_at>?)',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH verification_events USING INDEX verification_events_history (verification_id=?)',
    'UNION ALL',
    'SEARCH verifications USING COVERING INDEX verifications_reviewed (client_id=? AND resolved_at=? AND submitted_at>?)',
  ]);
});

it('query plan: what waits for reviewers and what they decided are ranges of an index for each client, without rows', async () => {
  const query = { now: new Date(2), decidedFrom: new Date(1) };
  expect(await planOf((session) => createVerificationRepository(session).reviewLoad(query))).toEqual([
    'SEARCH clients USING INDEX clients_test_of (test_of=?)',
    'SEARCH verifications USING COVERING INDEX verifications_reviewed (client_id=? AND resolved_at=? AND submitted_at>?)',
    'SEARCH clients USING INDEX clients_test_of (test_of=?)',
    'SEARCH verifications USING COVERING INDEX verifications_reviewed (client_id=? AND resolved_at>?)',
    'SEARCH verification_events USING INDEX verification_events_history (verification_id=?)',
  ]);
});

it('query plan: pages by decision, by step and by subject are read in the order of an index', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 30 });
  const decide = "UPDATE verifications SET status = 'approved', resolved_at = requested_at WHERE rowid % 2 = 0";
  rawConnection(onTestFinished, file).exec(decide);
  const plan = (sortBy: 'resolvedAt' | 'subjectReference' | 'currentStep', offset = 0) =>
    planOfFile(onTestFinished, file, list({ sortBy, limit: 1, offset }));

  expect(await plan('resolvedAt')).toContain(
    'SEARCH verifications USING COVERING INDEX verifications_resolved (client_id=? AND status=? AND type=? AND resolved_at>?)',
  );
  const byStep = await plan('currentStep');
  expect(byStep).toContain(
    'SEARCH verifications USING COVERING INDEX verifications_steps (client_id=? AND status=? AND type=?)',
  );
  expect(byStep).toContain(
    'SEARCH verifications USING COVERING INDEX verifications_groups (client_id=? AND status=? AND type=?)',
  );
  expect(byStep.filter((step) => step.includes('FOR ORDER BY'))).toEqual([]);
  const bySubject = await plan('subjectReference');
  expect(bySubject).toContain('SEARCH verifications USING INDEX verifications_one_active (client_id=?)');
  expect(bySubject).toContain('USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY');
});

it('query plan: a filter by subject reads no row that it leaves out', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 30 });
  const connection = rawConnection(onTestFinished, file);
  connection.exec("UPDATE verifications SET status = 'approved', resolved_at = requested_at WHERE rowid % 2 = 0");
  const plan = (query: Partial<VerificationQuery>) =>
    planOfFile(onTestFinished, file, list({ sortBy: 'subjectReference', limit: 1, ...query }));

  connection.exec('UPDATE verification_counts SET pending = pending + 90000');
  const rare = await plan({ status: 'approved' });
  expect(rare).toContain(
    'SEARCH verifications USING COVERING INDEX verifications_steps (client_id=? AND status=? AND type=?)',
  );
  expect(rare.join()).not.toContain('verifications_one_active');

  connection.exec('UPDATE verification_counts SET approved = approved + 90000');
  const deep = await plan({ status: 'approved', offset: 2_000 });
  expect(deep).toContain('SEARCH verifications USING COVERING INDEX verifications_one_active (client_id=?)');
});

it('query plan: counts read no verification', async () => {
  const plan = await planOf((session) => createVerificationRepository(session).counts(CLIENT.id));

  expect(plan).toEqual([
    'SEARCH verification_counts USING INDEX sqlite_autoindex_verification_counts_1 (client_id=? AND day>? AND day<?)',
  ]);
});

it('query plan: counts by status read no verification', async () => {
  const plan = await planOf((session) => createVerificationRepository(session).countByStatus());

  expect(plan).toEqual(['SCAN verification_counts']);
});

it.each([
  [{}, 'SCAN audit_entries'],
  [{ before: 9 }, 'SEARCH audit_entries USING INTEGER PRIMARY KEY (rowid<?)'],
  [{ actorId: 'staff-1' }, 'SEARCH audit_entries USING INDEX audit_entries_actor (actor_id=?)'],
  [{ clientId: CLIENT.id }, 'SEARCH audit_entries USING INDEX audit_entries_client (client_id=?)'],
  [{ action: 'api_keys.create' }, 'SEARCH audit_entries USING INDEX audit_entries_action (action=?)'],
  [{ outcome: 'refused' }, 'SEARCH audit_entries USING INDEX audit_entries_outcome (outcome=?)'],
  [
    { clientId: CLIENT.id, before: 9 },
    'SEARCH audit_entries USING INDEX audit_entries_client (client_id=? AND rowid<?)',
  ],
  [
    { clientId: CLIENT.id, action: 'api_keys.create', outcome: 'allowed' },
    'SEARCH audit_entries USING INDEX audit_entries_client (client_id=?)',
    'SEARCH other EXISTS USING COVERING INDEX audit_entries_action (action=? AND rowid=?)',
    'SEARCH other EXISTS USING COVERING INDEX audit_entries_outcome (outcome=? AND rowid=?)',
  ],
] as const)(
  'query plan: audit entries filtered by %j are read in index order, without sorting and reading others',
  async (query, ...ways) => {
    expect(await planOf(listingAudit(query))).toEqual(ways);
  },
);

it('query plan: audit entries of a range of time are found and sorted by indexes alone', async () => {
  const range = { appendedFrom: new Date(0), appendedUntil: new Date(9) };

  expect(await planOf(listingAudit({ ...range, action: 'api_keys.create', before: 9 }))).toEqual([
    'SEARCH audit_entries USING INTEGER PRIMARY KEY (rowid=?)',
    'LIST SUBQUERY 2',
    'SEARCH timed USING COVERING INDEX audit_entries_at (at>? AND at<?)',
    'SEARCH other EXISTS USING COVERING INDEX audit_entries_action (action=? AND rowid=?)',
    'USE TEMP B-TREE FOR ORDER BY',
  ]);
});

function listingAudit(query: Partial<AuditQuery>): (session: Session) => Promise<unknown> {
  const everything = { actorId: undefined, clientId: undefined, action: undefined, outcome: undefined };
  const times = { appendedFrom: undefined, appendedUntil: undefined };
  const whole: AuditQuery = { ...everything, ...times, before: undefined, limit: 20, ...query };
  return (session) => createAuditLog(session, longReadsOn(session.connection)).list(whole);
}

it('query plan: the head of the audit log and later entries are found by sequence number', async () => {
  const plan = await planOf(async (session) => {
    await createAuditLog(session, longReadsOn(session.connection)).head();
    await createAuditLog(session, longReadsOn(session.connection)).read(7, 10);
  });

  expect(plan).toEqual(['SCAN audit_entries', 'SEARCH audit_entries USING INTEGER PRIMARY KEY (rowid>?)']);
});

async function planOf(read: (session: Session) => Promise<unknown>): Promise<string[]> {
  return planOfFile(onTestFinished, await givenDatabase(onTestFinished), read);
}

function resolve(session: Session): Promise<unknown> {
  return createApiKeyRepository(session).resolve('hash');
}

function find(session: Session): Promise<unknown> {
  return createVerificationRepository(session).find(CLIENT.id, 'verification-1');
}

function findWithHistory(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findWithHistory(CLIENT.id, 'verification-1');
}

function findByKey(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findByIdempotencyKey(CLIENT.id, 'key');
}

function list(query: Partial<VerificationQuery>): (session: Session) => Promise<unknown> {
  return (session) => createVerificationRepository(session).list(CLIENT.id, { ...LIST, ...query });
}

function queue(query: Partial<QueueQuery>): (session: Session) => Promise<unknown> {
  const plain = { ...QUEUE, status: 'submitted' } as const;
  return (session) =>
    createVerificationRepository(session).queue({ ...plain, limit: 20, countUpTo: 1_000, ...query });
}

function clientsWithReference(session: Session): Promise<unknown> {
  return createVerificationRepository(session).clientsWithReference('subject-1', [CLIENT.id]);
}

function clientOf(session: Session): Promise<unknown> {
  return createVerificationRepository(session).clientOf('verification-1');
}

function findForReview(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findWithEventsForAnyClient('verification-1', 10);
}

function dataKeysOf(session: Session): DataKeyRepository {
  return createDataKeyRepository(session, longReadsOn(session.connection));
}

function findDataKey(session: Session): Promise<unknown> {
  return dataKeysOf(session).find(CLIENT.id, 'verification-1');
}

function listDataKeys(session: Session): Promise<unknown> {
  return dataKeysOf(session).listNotWrappedBy('key', 'verification-1', 10);
}

function replaceDataKey(session: Session): Promise<unknown> {
  const next = { wrappedBy: 'key', wrapped: 'wrapped' };
  const change = { clientId: CLIENT.id, verificationId: 'verification-1', expected: null, next };
  return dataKeysOf(session).replace(change);
}

function findLabels(session: Session): Promise<unknown> {
  const labels = [{ clientId: CLIENT.id, purpose: 'email', label: 'label' } as const];
  session.connection.prepare("insert into index_entries values (?, 'email', 'label', 'other')").run(CLIENT.id);
  return createIndexRepository(session).find({ labels, limit: 10 });
}
