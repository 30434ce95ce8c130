import type {
  AuditQuery,
  BrowseQuery,
  ClientQuery,
  QueueQuery,
  VerificationQuery,
} from '@countersign/domain/storage';
import { LIST, QUEUE } from '@countersign/test-support/records/queries';
import { PostgresFault } from '../../src/connection/faults.ts';
import type { Session } from '../../src/connection/session.ts';
import { createApiKeyRepository } from '../../src/repositories/api-key-repository.ts';
import { createAuditLog } from '../../src/repositories/audit-log.ts';
import { createClientRepository } from '../../src/repositories/client-repository.ts';
import { createDataKeyRepository } from '../../src/repositories/data-key-repository.ts';
import { createIndexRepository } from '../../src/repositories/index-repository.ts';
import { createVerificationRepository } from '../../src/repositories/verification-repository.ts';
import type { PlannedQuery } from '../plans.ts';
import { aCreateRequest, CLIENT, keyHash, verificationId } from '../records.ts';

const WAITING = { submittedAt: new Date(), id: verificationId(1) };
export const LATER = { requestedAt: new Date(Date.now() - 12 * 60 * 60 * 1_000), id: verificationId(1) };
const HOUR_MS = 60 * 60 * 1_000;
const LAST_WEEK = Date.now() - 7 * 24 * HOUR_MS;
const HOUR = { appendedFrom: new Date(LAST_WEEK), appendedUntil: new Date(LAST_WEEK + HOUR_MS) };

/** Queries of the storage, except those of webhooks and retention, which have files of their own. */
export const STORAGE_QUERIES: readonly PlannedQuery[] = [
  ['a key by its hash', resolve, ['api_keys_hash', 'subscriptions_pk']],
  ['a verification', find, ['verifications_(pk|id)']],
  ['a verification of any client', findForAnyClient, ['verifications_id']],
  ['the client of a verification', clientOf, ['verifications_id']],
  ['the clients with a reference', clientsWithReference, ['verifications_subjects']],
  [
    'a history',
    findWithHistory,
    ['verifications_(pk|id)', 'verification_events_pk', 'verification_events_history'],
  ],
  ['an Idempotency-Key', findByKey, ['verifications_idempotency_key']],
  ['a page in the default order', list({}), ['verification_counts_pk', 'verifications_groups']],
  ['a page in ascending order', list({ sortOrder: 'asc' }), ['verifications_groups']],
  ['a page of one status', list({ status: 'pending' }), ['verifications_groups']],
  ['a page by decision', list({ sortBy: 'resolvedAt' }), ['verifications_resolved', 'verifications_(pk|id)']],
  ['a page by step', list({ sortBy: 'currentStep' }), ['verifications_steps', 'verifications_groups']],
  ['a page by subject', list({ sortBy: 'subjectReference' }), ['verifications_subjects']],
  ['a page of one subject', list({ subjectReference: 'subject-7' }), ['verifications_subjects']],
  ['the active one of a subject', activeOfSubject, ['verifications_one_active']],
  ['a reviewer’s verification', findForReview, ['verifications_id', 'verification_events_pk']],
  ['a short reference', shortReference(undefined), ['verifications_id']],
  ['a short reference of a client', shortReference(CLIENT.id), ['verifications_(pk|id)']],
  ['how a verification ended', findEndings, ['verification_events_history']],
  ['the queue', queue({}), ['verifications_queue']],
  ['unclaimed verifications', queue({ claimedBy: null }), ['verifications_queue']],
  ['the queue of live clients', queue({ liveOnly: true }), ['verifications_queue', 'clients_pk']],
  ['the queue after a position', queue({ after: WAITING }), ['verifications_queue']],
  ['the warned of the queue', queue({ isWarned: true }), ['verifications_warned']],
  ['what was submitted again', queue({ isResubmitted: true }), ['verifications_resubmitted']],
  ['what a reviewer claimed', queue({ claimedBy: 'reviewer-1' }), ['verifications_(queue|claims)']],
  ['clients by name', searchClients({}), ['clients_by_name']],
  ['later clients by name', searchClients({ after: { name: 'Client 7', id: CLIENT.id } }), ['clients_by_name']],
  ['the queue of one client', queue({ clientId: CLIENT.id }), ['verifications_(queue|groups)']],
  ['the data key of a verification', findDataKey, ['verifications_(pk|id)']],
  ['a page of data keys after another', listDataKeys, ['verifications_id']],
  [
    'a data key of the next wrapping key',
    (session) => createDataKeyRepository(session).listOneOfEachKey(10),
    ['verifications_wrapping_keys'],
  ],
  ['verifications with a label', findLabels, ['index_entries_pk']],
  ['a replaced data key', replaceDataKey, ['verifications_(pk|id)']],
  ['a page of what a client looks through', browse({}), ['verifications_groups']],
  ['a later page of it', browse({ after: LATER }), ['verifications_groups']],
  ['a page of one status in it', browse({ status: 'pending' }), ['verifications_groups']],
  ['a page of two days in it', browse({ requestedFrom: LATER.requestedAt }), ['verifications_groups']],
  ['what begins with a prefix', browse({ subjectReferencePrefix: 'subject-77' }), ['verifications_subjects']],
  ['the counts of a client', counts, ['verification_counts_pk']],
  ['what sandboxes have to drive', dueInSandbox, ['verifications_sandbox_due']],
  ['what is due for expiry', dueForExpiry, ['verifications_groups']],
  ['the review of a client', reviewActivity, ['verifications_reviewed', 'verification_events_history']],
  ['the test twin of a client', testTwin, ['clients_test_of', 'clients_pk']],
  ['the end of the audit log', (session) => createAuditLog(session).head(), ['audit_entries_pk']],
  ['the next entries of the audit log', (session) => createAuditLog(session).read(70, 9), ['audit_entries_pk']],
  ['the newest audit entries', listAudit({}), ['audit_entries_pk']],
  ['audit entries before another', listAudit({ before: 700 }), ['audit_entries_pk']],
  ['audit entries of one actor', listAudit({ actorId: 'staff-7' }), ['audit_entries_actor']],
  ['earlier audit entries of one actor', listAudit({ actorId: 'staff-7', before: 700 }), ['audit_entries_actor']],
  ['audit entries about one client', listAudit({ clientId: 'client-7' }), ['audit_entries_client']],
  ['audit entries of one action', listAudit({ action: 'team.remove' }), ['audit_entries_action']],
  ['audit entries of an hour', listAudit(HOUR), ['audit_entries_at']],
  [
    'audit entries of one action in an hour',
    listAudit({ ...HOUR, action: 'api_keys.create' }),
    ['audit_entries_at'],
  ],
  ['audit entries of failed actions', listAudit({ outcome: 'failed' }), ['audit_entries_outcome']],
];

/** Pages whose plans sort nothing but the page. */
export const ORDERED_PAGES: readonly PlannedQuery[] = [
  ['the order of the audit log', listAudit({ actorId: 'staff-7', before: 700 }), ['audit_entries_actor']],
  ['the order of the queue', queue({}), ['verifications_queue']],
  ['the order of the queue of live clients', queue({ liveOnly: true }), ['verifications_queue']],
  ['the order of the warned', queue({ isWarned: true }), ['verifications_warned']],
  [
    'the order of what was submitted again',
    queue({ isResubmitted: true, liveOnly: true }),
    ['verifications_resubmitted'],
  ],
  ['the order of unclaimed verifications', queue({ claimedBy: null, type: 'kyc' }), ['verifications_queue']],
  ['the order of what was decided', queue({ status: 'approved' }), ['verifications_queue']],
];

/** Pages whose plans read the beginning of each group of verifications only. */
export const GROUPED_PAGES: readonly PlannedQuery[] = [
  ['the default order', list({}), ['verifications_groups']],
  ['the order by decision', list({ sortBy: 'resolvedAt', limit: 1 }), ['verifications_(resolved|pk)']],
  ['the order by step', list({ sortBy: 'currentStep', limit: 1 }), ['verifications_(steps|groups|pk)']],
  ['the order of what a client looks through', browse({ type: 'kyc', after: LATER }), ['verifications_groups']],
];

function resolve(session: Session): Promise<unknown> {
  return createApiKeyRepository(session).resolve(keyHash(1));
}

function find(session: Session): Promise<unknown> {
  return createVerificationRepository(session).find(CLIENT.id, verificationId(1));
}

function findForAnyClient(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findForAnyClient(verificationId(1));
}

function clientsWithReference(session: Session): Promise<unknown> {
  return createVerificationRepository(session).clientsWithReference('subject-1', [CLIENT.id]);
}

function clientOf(session: Session): Promise<unknown> {
  return createVerificationRepository(session).clientOf(verificationId(1));
}

function findWithHistory(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findWithHistory(CLIENT.id, verificationId(1));
}

function findByKey(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findByIdempotencyKey(CLIENT.id, 'key-7');
}

/** Runs the look-ups after a refused creation. */
function activeOfSubject(session: Session): Promise<unknown> {
  const { read } = session;
  const write = () => Promise.reject(new PostgresFault('23505', 'refused', 'verifications_one_active'));
  const refusing: Session = { ...session, operation: (work) => work({ read, write }) };
  return createVerificationRepository(refusing).createCharged(aCreateRequest(1));
}

export function list(query: Partial<VerificationQuery>): (session: Session) => Promise<unknown> {
  return (session) => createVerificationRepository(session).list(CLIENT.id, { ...LIST, ...query });
}

function queue(query: Partial<QueueQuery>): (session: Session) => Promise<unknown> {
  const plain = { ...QUEUE, status: 'submitted' } as const;
  return (session) =>
    createVerificationRepository(session).queue({ ...plain, limit: 20, countUpTo: 1_000, ...query });
}

function searchClients(query: Partial<ClientQuery>): (session: Session) => Promise<unknown> {
  const plain = { namePrefix: 'client 1', after: undefined, limit: 20, countUpTo: 1_000 };
  return (session) => createClientRepository(session).search({ ...plain, ...query });
}

function shortReference(clientId: string | undefined) {
  return (session: Session) =>
    createVerificationRepository(session).findByShortReference({ reference: '7K3F-92QD', clientId, limit: 10 });
}

export function browse(query: Partial<BrowseQuery>): (session: Session) => Promise<unknown> {
  const plain = { status: undefined, type: undefined, subjectReferencePrefix: undefined };
  const always = { requestedFrom: undefined, requestedUntil: undefined, after: undefined, limit: 20 };
  return (session) => createVerificationRepository(session).browse(CLIENT.id, { ...plain, ...always, ...query });
}

function counts(session: Session): Promise<unknown> {
  return createVerificationRepository(session).counts(CLIENT.id, { from: 20_000, until: 21_000 });
}

function dueInSandbox(session: Session): Promise<unknown> {
  return createVerificationRepository(session).dueInSandbox(10);
}

function dueForExpiry(session: Session): Promise<unknown> {
  const requestedBy = new Date(Date.now() - 60 * 24 * 60 * 60 * 1000);
  return createVerificationRepository(session).dueForExpiry({ linkEndedBy: requestedBy, requestedBy, limit: 50 });
}

function reviewActivity(session: Session): Promise<unknown> {
  const today = Math.floor(Date.now() / (24 * 60 * 60 * 1000));
  const query = { days: { from: today - 29, until: today + 1 }, comparedFrom: today - 59 };
  return createVerificationRepository(session).reviewActivity({ clientId: CLIENT.id, ...query });
}

export function reviewLoad(session: Session): Promise<unknown> {
  const now = Date.now();
  const query = { now: new Date(now), decidedFrom: new Date(now - HOUR_MS) };
  return createVerificationRepository(session).reviewLoad(query);
}

function testTwin(session: Session): Promise<unknown> {
  return createClientRepository(session).testTwin(CLIENT.id, { id: CLIENT.id, createdAt: new Date(0) });
}

function listAudit(query: Partial<AuditQuery>): (session: Session) => Promise<unknown> {
  const times = { appendedFrom: undefined, appendedUntil: undefined };
  const all = { actorId: undefined, clientId: undefined, action: undefined, outcome: undefined, ...times };
  return (session) => createAuditLog(session).list({ ...all, before: undefined, limit: 20, ...query });
}

function findEndings(session: Session): Promise<unknown> {
  const asked = [{ clientId: CLIENT.id, verificationId: verificationId(1) }];
  return createVerificationRepository(session).findEndings(asked);
}

function findForReview(session: Session): Promise<unknown> {
  return createVerificationRepository(session).findWithEventsForAnyClient(verificationId(1), 10);
}

function findDataKey(session: Session): Promise<unknown> {
  return createDataKeyRepository(session).find(CLIENT.id, verificationId(1));
}

function listDataKeys(session: Session): Promise<unknown> {
  return createDataKeyRepository(session).listNotWrappedBy('key', verificationId(1), 10);
}

function replaceDataKey(session: Session): Promise<unknown> {
  const next = { wrappedBy: 'key', wrapped: 'wrapped' };
  const change = { clientId: CLIENT.id, verificationId: verificationId(1), expected: null, next };
  return createDataKeyRepository(session).replace(change);
}

function findLabels(session: Session): Promise<unknown> {
  const labels = [{ clientId: CLIENT.id, purpose: 'email', label: 'label' } as const];
  return createIndexRepository(session).find({ labels, limit: 10 });
}
