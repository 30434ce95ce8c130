// Several instances erase on a real Postgres.
import type { VerificationEvent } from '@countersign/domain';
import type { Erasure } from '@countersign/domain/retention';
import type { RetainedVerification, VerificationRecord } from '@countersign/domain/storage';
import { eventTo } from '@countersign/test-support/records/verification';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../../../test-support/migrated.ts';
import { rawConnection } from '../../../test-support/raw.ts';
import { aClient, aCreateRequest, CLIENT, keyHash } from '../../../test-support/records.ts';
import { createPostgresStorage, type PostgresStorage } from '../../postgres-storage.ts';

const AT = new Date('2026-03-10T12:00:00Z');

describeWith(['postgres'], 'erasures by several instances', () => {
  const createMigrated = givenMigrated(givenPostgres());

  async function givenInstances(
    count: number,
    verifications: number,
  ): Promise<{ url: string; instances: PostgresStorage[]; erasing: VerificationRecord[] }> {
    const url = await createMigrated();
    const instances = await Promise.all(Array.from({ length: count }, () => createPostgresStorage({ url })));
    onTestFinished(async () => void (await Promise.all(instances.map((storage) => storage.close()))));
    const [storage] = instances as [PostgresStorage];
    await storage.clients.create({ client: CLIENT, subscription: null });
    const erasing = await Promise.all(
      Array.from({ length: verifications }, (_, n) => givenErasing(storage, n + 1)),
    );
    return { url, instances, erasing };
  }

  it('erasures of one verification: one wins, the others receive a conflict', async () => {
    const { instances, erasing } = await givenInstances(4, 1);
    const [record] = erasing as [VerificationRecord];

    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => at(instances, n).retention.erase(erasureOf(record, { n: n + 1 }))),
    );

    expect(outcomes.filter(({ outcome }) => outcome === 'erased')).toEqual([{ outcome: 'erased', number: 1 }]);
    expect(outcomes.filter(({ outcome }) => outcome === 'conflict')).toHaveLength(39);
    const found = await at(instances, 0).retention.find(placeOf(record));
    expect(found).toMatchObject({ subjectReference: `erased:${record.id}`, erasureNumber: 1, eventCount: 3 });
  });

  it('erasures of many verifications without numbers: each gets the next, without a gap', {
    timeout: 60_000,
  }, async () => {
    const { instances, erasing } = await givenInstances(4, 100);

    const outcomes = await Promise.all(
      erasing.map((record, n) => at(instances, n).retention.erase(erasureOf(record, { n }))),
    );

    const numbers = outcomes.map((one) => (one.outcome === 'erased' ? one.number : one.outcome));
    expect(numbers.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 1),
    );
  });

  it('erasures with one number for two verifications: one is erased, and number_taken leaves the other as it was', async () => {
    const { instances, erasing } = await givenInstances(2, 2);

    const outcomes = await Promise.all(
      erasing.map((record, n) => at(instances, n).retention.erase(erasureOf(record, { n, number: 7 }))),
    );

    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['erased', 'number_taken']);
    const other = at(
      erasing,
      outcomes.findIndex(({ outcome }) => outcome === 'number_taken'),
    );
    expect(await at(instances, 0).verifications.find(CLIENT.id, other.id)).toEqual(other);
  });

  it('erasures beside fan-out and answered webhooks: all end, and nothing of the erased data is left', {
    timeout: 120_000,
  }, async () => {
    const { url, instances, erasing } = await givenInstances(4, 40);
    const [storage] = instances as [PostgresStorage];
    const raw = rawConnection(onTestFinished, url);
    for (const n of [1, 2, 3]) await raw.unsafe(ENDPOINT, [CLIENT.id, aClient(n).id, n]);
    await raw.unsafe(`update verification_events set unsent = true, data = '{"canary": "Ada"}'`);
    await storage.webhooks.fanOut({ now: AT, limit: 20 });
    await raw.unsafe(ATTEMPTS);

    await Promise.all([
      ...erasing.map((record, n) => at(instances, n).retention.erase(erasureOf(record, { n }))),
      ...Array.from({ length: 20 }, (_, n) => at(instances, n).webhooks.fanOut({ now: AT, limit: 10 })),
      ...Array.from({ length: 5 }, (_, n) => at(instances, n).webhooks.forget({ before: AT, limit: 10 })),
    ]);

    expect(await storage.retention.lastErasure()).toBe(40);
    const [left] = await raw`select
      (select count(*)::int from verification_events where data <> '{}') as events,
      (select count(*)::int from webhook_attempts where request || coalesce(answer, '') || coalesce(fault, '') <> '') as attempts`;
    expect(left).toEqual({ events: 0, attempts: 0 });
  });

  it('an erasure beside a commit of the same verification: one of both wins', async () => {
    const { instances, erasing } = await givenInstances(4, 20);

    const outcomes = await Promise.all(
      erasing.flatMap((record, n) => [
        at(instances, n).retention.erase(erasureOf(record, { n })),
        at(instances, n + 1).verifications.commit({
          record: { ...record, version: record.version + 1, linkVersion: 2 },
          expectedVersion: record.version,
          events: [],
        }),
      ]),
    );

    for (const [n, record] of erasing.entries()) {
      const [erased, committed] = [at(outcomes, n * 2).outcome, at(outcomes, n * 2 + 1).outcome];
      expect([erased, committed].filter((outcome) => outcome === 'conflict')).toHaveLength(1);
      const found = await at(instances, 0).retention.find(placeOf(record));
      expect(found?.linkVersion).toBe(erased === 'erased' ? 1 : 2);
      expect(found?.erasureNumber !== null).toBe(erased === 'erased');
    }
  });
});

const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

const placeOf = ({ clientId, id }: Pick<RetainedVerification, 'clientId' | 'id'>) => ({
  clientId,
  verificationId: id,
});

/** Stores a verification whose erasure has begun. */
async function givenErasing(storage: PostgresStorage, n: number): Promise<VerificationRecord> {
  const request = aCreateRequest(n);
  expect(await storage.verifications.createCharged(request)).toEqual({ outcome: 'created' });
  const record: VerificationRecord = {
    ...request.record,
    status: 'rejected',
    resolvedAt: AT,
    erasedAt: AT,
    retentionCheckAt: AT,
    version: 2,
    eventCount: 2,
  };
  const event: VerificationEvent = {
    ...eventTo(record, { id: `dddddddd-0000-7000-8000-${String(n).padStart(12, '0')}` }),
    type: 'verification.rejected',
  };
  await storage.verifications.commit({ record, expectedVersion: 1, events: [event] });
  return record;
}

function erasureOf(
  { clientId, id, version, status }: VerificationRecord,
  { n, number = null }: { n: number; number?: number | null },
): {
  expectedVersion: number;
  event: VerificationEvent;
  erasure: Omit<Erasure, 'number' | 'finishedAt'> & { number: number | null };
} {
  const event: VerificationEvent = {
    id: `ffffffff-0000-7000-8000-${String(n).padStart(12, '0')}`,
    clientId,
    verificationId: id,
    version: version + 1,
    type: 'verification.data_erased',
    status,
    at: AT,
    actor: { kind: 'system', id: null },
    data: {},
  };
  const counts = { rule: 'rejected', steps: 1, files: 2, events: 2, hash: keyHash(n) } as const;
  return { expectedVersion: version, event, erasure: { clientId, verificationId: id, at: AT, number, ...counts } };
}

const ENDPOINT = `
  insert into webhook_endpoints (client_id, id, url, name, types, state, since, created_at, secret, slot)
  values ($1, $2, 'https://shop.example', '', '["verification.created", "verification.rejected"]', 'active', '2020-01-01Z', now(),
    'whsec_', $3)`;

/** An attempt of each delivery; every second delivery is done, and so is due to be forgotten. */
const ATTEMPTS = `
  insert into webhook_attempts
  select client_id, endpoint_id, event_id, gen_random_uuid(), at, 1, 'Ada', 200, 'Ada', 'Ada' from webhook_deliveries;
  update webhook_deliveries set state = 'delivered', due_at = null where version = 1`;
