import type { RetentionRepository } from '@countersign/domain/storage';
import { createRetentionRepository } from '../../src/repositories/retention/retention-repository.ts';
import type { PlannedQuery } from '../plans.ts';
import { CLIENT, verificationId } from '../records.ts';

type Use = (retention: RetentionRepository) => Promise<unknown>;

const now = new Date();
const clientId = CLIENT.id;
const place = { clientId, verificationId: verificationId(1) };
const event = {
  id: verificationId(1),
  ...place,
  version: 2,
  type: 'verification.data_erased',
  status: 'approved',
  at: now,
  actor: { kind: 'system', id: null },
  data: {},
} as const;
const erasure = {
  ...place,
  at: now,
  number: null,
  rule: 'rejected',
  steps: 7,
  files: 4,
  events: 1,
  hash: '0'.repeat(64),
} as const;

const QUERIES: readonly (readonly [string, Use, string[]])[] = [
  [
    'a verification with its policy',
    (one) => one.find(place),
    ['verifications_(pk|id)', 'verification_events_(history|pk)'],
  ],
  ['what is left of it', (one) => one.storedTraces(place), ['verifications_(pk|id)', 'verification_events_pk']],
  [
    'what is due for erasure',
    (one) => one.due({ now, limit: 20 }),
    ['verifications_retention_due', 'verifications_retention_unplanned', 'verification_events_(history|pk)'],
  ],
  [
    'replaced uploads that are due',
    (one) => one.uploadsDue({ now, limit: 20 }),
    ['verifications_uploads_due', 'verification_events_(history|pk)'],
  ],
  [
    'erasures that have not finished',
    (one) => one.unfinished({ begunBefore: now, limit: 20 }),
    ['verifications_unfinished_erasures', 'verification_events_(history|pk)'],
  ],
  [
    'a verification that is planned',
    (one) =>
      one.schedule({
        place,
        expected: { version: 1, retentionCheckAt: null, uploadsCheckAt: null },
        checkAt: now,
      }),
    ['verifications_(pk|id)'],
  ],
  [
    'a slice of a client',
    (one) => one.recheck({ clientId, after: null, limit: 100, at: now }),
    ['verifications_pk'],
  ],
  [
    'a later slice of a client',
    (one) => one.recheck({ clientId, after: verificationId(7), limit: 100, at: now }),
    ['verifications_pk'],
  ],
  [
    'an erasure',
    (one) => one.erase({ expectedVersion: 1, event, erasure }),
    ['verifications_(pk|id)', 'verification_events_pk', 'webhook_attempts_pk', 'erasures_number'],
  ],
  ['a finished erasure', (one) => one.finish({ clientId, number: 7 }, now), ['erasures_(pk|number)']],
  ['a receipt', (one) => one.erasure(7), ['erasures_number']],
  ['the last receipt', (one) => one.lastErasure(), ['erasures_number']],
  ['receipts of all clients', (one) => one.erasures({ after: 9, limit: 20 }), ['erasures_number']],
  [
    'receipts of a client in a month',
    (one) => one.erasures({ clientId, from: now, until: now, after: 9, limit: 20 }),
    ['erasures_(pk|number)'],
  ],
  ['numbers without a receipt', (one) => one.withoutReceipt([7, 8, 9]), ['erasures_number']],
  ['the policies of clients', (one) => one.ofClients(clientId, 20), ['clients_pk']],
];

export const RETENTION_QUERIES: readonly PlannedQuery[] = QUERIES.map(([title, use, indexes]) => [
  title,
  (session) => use(createRetentionRepository(session)),
  indexes,
]);
