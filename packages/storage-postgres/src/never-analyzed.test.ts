// Loads many rows: the planner chooses other plans for few.
import { SORT_FIELDS } from '@countersign/domain';
import type { Client } from '@countersign/domain/clients';
import type { RetentionRepository, VerificationRecord } from '@countersign/domain/storage';
import { auditEntry } from '@countersign/test-support/records/audit-entry';
import { LIST } from '@countersign/test-support/records/queries';
import { eventTo } from '@countersign/test-support/records/verification';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { MANY_ROWS } from '../test-support/many-rows.ts';
import { rawConnection, stopAutovacuum } from '../test-support/raw.ts';
import { aClient, aCreateRequest, CLIENT, keyHash, verificationId } from '../test-support/records.ts';
import { createPostgresStorage, migratePostgres, type PostgresStorage } from './postgres-storage.ts';

/** Number of audit entries of the loaded rows. */
const ENTRIES = 20_000;
/** More than the number of any loaded verification. */
const NEW = 1_000_000;

const SCANNED = `
  select relname from pg_stat_user_tables
  where seq_scan > 0 and pg_relation_size(relid) > 100000 order by relname`;

describeWith(['postgres'], 'a database that Postgres never analyzed', () => {
  const server = givenPostgres();

  /** Creates a database of which Postgres collects no statistics. */
  async function givenDatabase(): Promise<string> {
    const url = await server.createDatabase();
    await migratePostgres({ url });
    const raw = rawConnection(onTestFinished, url);
    await stopAutovacuum(raw);
    return url;
  }

  /** Loads 20,000 verifications and forgets the scans so far. */
  async function load(url: string): Promise<void> {
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe(MANY_ROWS);
    await raw.unsafe('select pg_stat_force_next_flush()');
    await raw.unsafe('select pg_stat_reset()');
  }

  /** Lists the large tables that were scanned. Foreign keys and triggers count, too. */
  async function scannedTables(url: string): Promise<unknown[]> {
    const raw = rawConnection(onTestFinished, url);
    return (await raw.unsafe(SCANNED).values()).flat();
  }

  it('requests scan no table after a bulk load', async () => {
    const url = await givenDatabase();
    await load(url);
    const storage = await createPostgresStorage({ url });

    await requests(storage, CLIENT, 1);
    await storage.webhooks.fanOut({ now: new Date(), limit: 10 });
    await storage.audit.append(auditEntry(ENTRIES + 1));

    await storage.close();
    expect(await scannedTables(url)).toEqual([]);

    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe('select count(metadata) from verifications');
    await raw.unsafe('select pg_stat_force_next_flush()');
    expect(await scannedTables(url)).toEqual(['verifications']);
  });

  it('requests scan no table with plans from before a bulk load', async () => {
    const url = await givenDatabase();
    const storage = await createPostgresStorage({ url, poolSize: 1 });
    await storage.clients.create({ client: EARLIER_CLIENT, subscription: null });
    for (let n = 1; n <= 10; n += 1) await requests(storage, EARLIER_CLIENT, n);
    await load(url);

    for (let n = 1; n <= 10; n += 1) await requests(storage, CLIENT, 100 + n);

    await storage.close();
    expect(await scannedTables(url)).toEqual([]);
  });
});

/** None of the loaded clients. */
const EARLIER_CLIENT = aClient(1_000_000);

/** What the API does with a verification, from its creation on. */
async function requests(
  { verifications, apiKeys, dataKeys, retention }: PostgresStorage,
  client: Client,
  n: number,
): Promise<void> {
  const request = aCreateRequest(NEW + n, { client });
  const { record } = request;
  const { id } = record;
  await apiKeys.resolve(keyHash(n));
  expect(await verifications.createCharged(request)).toEqual({ outcome: 'created' });
  await verifications.findByIdempotencyKey(client.id, 'key-1');
  await verifications.find(client.id, id);
  await verifications.findForAnyClient(id);
  await verifications.findWithHistory(client.id, id);
  await verifications.findWithEventsForAnyClient(id, 10);
  await dataKeys.find(client.id, id);
  const next = { ...record, version: 2, currentStep: 1 };
  const event = eventTo(next, { id: verificationId(NEW * 2 + n) });
  const commit = { record: next, expectedVersion: 1, events: [event] };
  expect(await verifications.commit(commit)).toEqual({ outcome: 'committed' });
  for (const sortBy of SORT_FIELDS) await verifications.list(client.id, { ...LIST, sortBy });
  await verifications.list(client.id, {
    ...LIST,
    sortBy: 'requestedAt',
    subjectReference: record.subjectReference,
  });
  for (const clientId of [client.id, undefined])
    await verifications.findByShortReference({ reference: '7K3F-92QD', clientId, limit: 10 });
  await verifications.findEndings([{ clientId: client.id, verificationId: record.id }]);
  await verifications.counts(client.id);
  await erase(retention, { ...next, version: 2 }, n);
}

/** What the job of retention does with a verification, from its decision on. */
async function erase(retention: RetentionRepository, record: VerificationRecord, n: number): Promise<void> {
  const { clientId, id } = record;
  const place = { clientId, verificationId: id };
  const found = await retention.find(place);
  if (found === null) throw new Error('the verification is not found');
  const facts = { resolvedAt: NOW, erasedAt: NOW, retentionCheckAt: NOW };
  const verification = { ...found, ...facts, status: 'rejected', version: 3 } as const;
  const decided = eventTo({ ...record, version: 3 }, { id: verificationId(NEW * 3 + n) });
  const erased = eventTo({ ...record, version: 4 }, { id: verificationId(NEW * 4 + n) });
  const counts = { at: NOW, rule: 'rejected', steps: 0, files: 0, events: 3, hash: keyHash(n) } as const;

  const changed = await retention.change({ verification, expectedVersion: 2, events: [decided] });
  expect(changed).toEqual({ outcome: 'committed' });
  await retention.recheck({ clientId, after: null, limit: 100, at: NOW });
  await retention.due({ now: NOW, limit: 100 });
  await retention.uploadsDue({ now: NOW, limit: 100 });
  await retention.schedule({
    place,
    expected: { version: 3, retentionCheckAt: NOW, uploadsCheckAt: null },
    checkAt: NOW,
  });
  await retention.storedTraces(place);
  const erasure = { ...place, ...counts, number: null };
  const outcome = await retention.erase({ expectedVersion: 3, event: erased, erasure });
  if (outcome.outcome !== 'erased') throw new Error(outcome.outcome);
  await retention.finish({ clientId, number: outcome.number }, NOW);
  await retention.erasure(outcome.number);
  await retention.erasures({ clientId, from: NOW, after: 0, limit: 20 });
  await retention.erasures({ after: 0, limit: 20 });
  await retention.lastErasure();
  await retention.withoutReceipt([1, 2, 3]);
  await retention.setPolicy(clientId, null);
  await retention.ofClient(clientId);
  await retention.ofClients(null, 20);
}

const NOW = new Date();
