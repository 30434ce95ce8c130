// Loads many rows: the planner chooses other plans for few.
import type { RetentionRepository } from '@countersign/domain/storage';
import { describeWith } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MANY_ROWS } from '../../../test-support/many-rows.ts';
import { givenManyRows, planOf } from '../../../test-support/plans.ts';
import { CLIENT, verificationId } from '../../../test-support/records.ts';
import { createRetentionRepository } from './retention-repository.ts';

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

describeWith(['postgres'], 'retention among many rows', () => {
  let database: Awaited<ReturnType<typeof givenManyRows>>;
  let raw: postgres.Sql;

  beforeAll(async () => {
    database = await givenManyRows(`${MANY_ROWS}; analyze`);
    ({ raw } = database);
  });
  afterAll(() => database.stop());

  it.each<[string, Use, string[]]>([
    ['a verification', (one) => one.find(place), ['verifications_(pk|id)', 'verification_events_(history|pk)']],
    ['what is left of it', (one) => one.storedTraces(place), ['verifications_(pk|id)', 'verification_events_pk']],
    [
      'what is due',
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
  ])('%s is found by its index', async (_, use, indexes) => {
    const plan = await planOf(raw, (session) => use(createRetentionRepository(session)));

    for (const index of indexes) expect(plan).toMatch(new RegExp(`(using|on) ${index}`));
    expect(plan).not.toMatch(/Seq Scan on (verifications|verification_events|webhook_attempts|erasures|clients) /);
  });

  it('what is due is read in the order of its index, without sorting more than a page', async () => {
    const plan = await planOf(raw, (session) => createRetentionRepository(session).due({ now, limit: 20 }));

    expect(plan.match(/Limit[^\n]*\n\s+->\s+Index Scan using verifications_retention/g)).toHaveLength(2);
  });
});
