import { expect, it, onTestFinished } from 'vitest';
import { aRequestedErasure } from '../test-support/erasures.ts';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';
import { planOf } from '../test-support/plan-of.ts';
import { CLIENT } from '../test-support/records.ts';
import { createRetentionRepository } from './repositories/retention/retention-repository.ts';

const NOW = new Date('2026-03-11T00:00:00Z');
const PLACE = { clientId: CLIENT.id, verificationId: 'verification-1' };
type Retention = ReturnType<typeof createRetentionRepository>;

const DECIDED_BY = 'verification_events USING INDEX verification_events_history (verification_id=?)';

it.each<[string, (retention: Retention) => Promise<unknown>, string[]]>([
  ['a verification', (retention) => retention.find(PLACE), ['verifications_1 (id=?)', DECIDED_BY]],
  [
    'what is left of a verification',
    (retention) => retention.storedTraces(PLACE),
    ['verifications_1 (id=?)', 'verification_events_1 (verification_id=?)'],
  ],
  [
    'verifications that are due',
    (retention) => retention.due({ now: NOW, limit: 10 }),
    ['verifications_retention_due (retention_check_at>? AND retention_check_at<?)', DECIDED_BY],
  ],
  [
    'replaced uploads that are due',
    (retention) => retention.uploadsDue({ now: NOW, limit: 10 }),
    ['verifications_uploads_due (uploads_check_at>? AND uploads_check_at<?)', DECIDED_BY],
  ],
  [
    'erasures that have not finished',
    (retention) => retention.unfinished({ begunBefore: NOW, limit: 10 }),
    ['verifications_unfinished_erasures (erased_at>? AND erased_at<?)', DECIDED_BY],
  ],
  [
    'a change of when a verification is checked',
    (retention) =>
      retention.schedule({
        place: PLACE,
        expected: { version: 1, retentionCheckAt: null, uploadsCheckAt: null },
        checkAt: null,
      }),
    ['verifications_1 (id=?)'],
  ],
  [
    'verifications to check again',
    (retention) => retention.recheck({ clientId: CLIENT.id, after: 'a', limit: 10, at: NOW }),
    ['INDEX verifications_retained (client_id=? AND id>?)'],
  ],
  ['a receipt', (retention) => retention.erasure(7), ['erasures_number (number=?)']],
  ['the last receipt', (retention) => retention.lastErasure(), ['COVERING INDEX erasures_number']],
  [
    'numbers without receipt',
    (retention) => retention.withoutReceipt([1, 2]),
    ['INDEX erasures_number FOR IN-OPERATOR'],
  ],
  [
    'receipts of all clients',
    (retention) => retention.erasures({ after: 3, limit: 10 }),
    ['erasures_number (number>?)'],
  ],
  [
    'receipts of a client',
    (retention) => retention.erasures({ clientId: CLIENT.id, from: NOW, until: NOW, after: 3, limit: 10 }),
    ['erasures_1 (client_id=? AND number>?)'],
  ],
  [
    'policies of clients',
    (retention) => retention.ofClients('a', 10),
    ['clients_1 (id>?)', 'client_retention_1 (client_id=?)'],
  ],
  [
    'the removal of data',
    (retention) => retention.erase(aRequestedErasure({ ...PLACE, expectedVersion: 1, number: null })),
    [
      'verifications_1 (id=?)',
      'verification_events_1 (verification_id=?)',
      'webhook_deliveries_verification (verification_id=?)',
      'webhook_attempts_1 (client_id=? AND endpoint_id=? AND event_id=?)',
    ],
  ],
  [
    'the end of an erasure',
    (retention) => retention.finish({ clientId: CLIENT.id, number: 1 }, NOW),
    ['erasures_number (number=?)'],
  ],
])('query plan: %s: reads an index, and sorts nothing', async (_, act, ways) => {
  const file = await givenDatabase(onTestFinished, { verifications: 2 });
  rawConnection(onTestFinished, file).exec(
    "UPDATE verifications SET status = 'rejected', resolved_at = 1, erased_at = 1 WHERE id = 'verification-1'",
  );

  const plan = await planOf(onTestFinished, file, (session) => act(createRetentionRepository(session)));

  for (const way of ways) expect(plan).toContainEqual(expect.stringContaining(way));
  expect(plan.filter((step) => /^SCAN (?:verification|webhook|clients|client_retention)/.test(step))).toEqual([]);
  expect(plan.filter((step) => step.includes('B-TREE'))).toEqual([]);
});
