// Several instances on a real Postgres.
import { type Storage, totalOf } from '@countersign/domain/storage';
import { extent } from '@countersign/test-support/installation/extent';
import { auditEntry, entryHash } from '@countersign/test-support/records/audit-entry';
import { describeWith, givenPostgres, startPgBouncer, startPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../test-support/migrated.ts';
import { rawConnection } from '../test-support/raw.ts';
import { aClient, aCreateRequest, aKey, CLIENT, keyHash, verificationId } from '../test-support/records.ts';
import { createPostgresStorage, inspectPostgres, migratePostgres } from './postgres-storage.ts';

const CHANGES = extent({ full: 10_000, short: 1_000 });

const at = <T>(items: readonly T[], index: number): T => items[index] as T;

describeWith(['postgres'], 'several instances on one database', () => {
  const server = givenPostgres();
  const createMigrated = givenMigrated(server);

  async function givenInstances(count: number): Promise<Storage[]> {
    const url = await createMigrated();
    const instances = await Promise.all(Array.from({ length: count }, () => createPostgresStorage({ url })));
    onTestFinished(async () => void (await Promise.all(instances.map((storage) => storage.close()))));
    await instances[0]?.clients.create({ client: CLIENT, subscription: null });
    return instances;
  }

  /** Runs calls at once, spread over the instances, and counts each outcome. */
  async function tally(
    instances: readonly Storage[],
    calls: number,
    call: (storage: Storage, n: number) => Promise<{ outcome: string }>,
  ): Promise<Record<string, number>> {
    const spread = Array.from({ length: calls }, (_, n) => instances[n % instances.length] as Storage);
    const outcomes = await Promise.all(spread.map((storage, n) => call(storage, n)));
    const counts: Record<string, number> = {};
    for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return counts;
  }

  it('create exactly as many as are allowed', async () => {
    const instances = await givenInstances(4);

    const outcomes = await tally(instances, 200, (storage, n) =>
      storage.verifications.createCharged(aCreateRequest(n, { allowance: 100 })),
    );

    expect(outcomes).toEqual({ created: 100, limit_reached: 100 });
    expect(await instances[0]?.clients.usedIn(CLIENT.id, '2026-03')).toBe(100);
  });

  it('opposite changes of status at once, of two clients and three days, all end and are counted once', {
    timeout: 600_000,
  }, async () => {
    const instances = await givenInstances(4);
    const [first] = instances as [Storage];
    const clients = [CLIENT, aClient(2)];
    await first.clients.create({ client: aClient(2), subscription: null });
    const requests = Array.from({ length: 100 }, (_, n) => {
      const request = aCreateRequest(n, { client: clients[n % 2] ?? CLIENT });
      const requestedAt = new Date(request.record.requestedAt.getTime() + (n % 3) * 86_400_000);
      return { ...request, record: { ...request.record, requestedAt } };
    });
    await tally(instances, requests.length, (storage, n) => storage.verifications.createCharged(at(requests, n)));

    const rounds = CHANGES / requests.length;
    for (let round = 1; round <= rounds; round += 1) {
      const outcomes = await tally(instances, requests.length, (storage, n) => {
        // In the opposite order by each other instance; half of them one way, half the other.
        const { record } = at(requests, n % 2 === 0 ? n : requests.length - n);
        const isSubmitted = (round + record.subjectReference.length + n) % 2 === 0;
        const state = isSubmitted
          ? ({ status: 'submitted', submittedAt: record.requestedAt } as const)
          : ({ status: 'pending', submittedAt: null } as const);
        return storage.verifications.commit({
          record: { ...record, ...state, version: round + 1 },
          expectedVersion: round,
          events: [],
        });
      });
      expect(outcomes).toEqual({ committed: requests.length });
    }

    const counts = await Promise.all(clients.map(({ id }) => first.verifications.counts(id)));
    const total = counts.flat().reduce((sum, each) => sum + totalOf(each.counts), 0);
    expect([counts.map(({ length }) => length), total]).toEqual([[3, 3], requests.length]);
    for (const { id } of clients) expect(await first.counters.differences(id)).toEqual([]);
  });

  it('create one verification of one subject', async () => {
    const instances = await givenInstances(4);

    const outcomes = await tally(instances, 200, (storage, n) => {
      const { record, ...rest } = aCreateRequest(n);
      return storage.verifications.createCharged({ record: { ...record, subjectReference: 'one' }, ...rest });
    });

    expect(outcomes).toEqual({ created: 1, duplicate: 199 });
  });

  it('issue ten keys, and refuse a revoked key as soon as the revocation has answered', async () => {
    const instances = await givenInstances(4);

    const outcomes = await tally(instances, 40, (storage, n) => storage.apiKeys.issue(aKey(n)));

    expect(outcomes).toEqual({ issued: 10, limit_reached: 30 });
    const [first] = (await instances[0]?.apiKeys.list(CLIENT.id)) ?? [];
    await instances[1]?.apiKeys.revoke(CLIENT.id, first?.id ?? '', new Date());
    const resolved = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        (instances[n % 4] as Storage).apiKeys.resolve(first?.hash ?? keyHash(0)),
      ),
    );
    expect(resolved.filter((one) => one?.key.revokedAt === null)).toEqual([]);
  });

  it('instances that append to the audit log at the same time write one chain', async () => {
    const instances = await givenInstances(2);
    const lines = Array.from({ length: 60 }, (_, n) => n);
    let refused = 0;

    await Promise.all(
      lines.map(async (n) => {
        const storage = instances[n % instances.length] as Storage;
        for (;;) {
          const head = await storage.audit.head();
          const sequence = (head?.sequence ?? 0) + 1;
          const given = { hash: entryHash(1_000 * sequence + n), detail: { n } };
          const line = auditEntry(sequence, { ...given, ...(head !== null && { previousHash: head.hash }) });
          const answer = await storage.audit.append(line);
          if (answer.outcome === 'appended') return;
          refused += 1;
        }
      }),
    );

    const read = (await instances[0]?.audit.read(0, 100)) ?? [];
    expect(read.map(({ sequence }) => sequence)).toEqual(lines.map((n) => n + 1));
    expect(read.slice(1).map(({ previousHash }) => previousHash)).toEqual(
      read.slice(0, -1).map(({ hash }) => hash),
    );
    expect(new Set(read.map(({ detail }) => detail.n))).toEqual(new Set(lines));
    expect(refused).toBeGreaterThan(0);
  });
});

describeWith(['postgres', 'pgbouncer'], 'behind PgBouncer in transaction mode', () => {
  it('everything works without named statements', async () => {
    const server = await startPostgres({ fsync: false });
    onTestFinished(() => server.stop());
    const directUrl = await server.createDatabase();
    const bouncer = await startPgBouncer(directUrl);
    onTestFinished(() => bouncer.stop());

    const storage = await createPostgresStorage({ url: bouncer.url, directUrl, namedStatements: false });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        storage.verifications.createCharged(aCreateRequest(n, { allowance: 60 })),
      ),
    );

    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(60);
    expect((await storage.verifications.find(CLIENT.id, verificationId(0)))?.id).toBe(verificationId(0));
    const facts = await inspectPostgres({ url: bouncer.url, directUrl, namedStatements: false });
    expect(facts.direct.isReachable).toBe(true);
  });

  it('releases the lock of migrations, also on a connection that the pooler keeps', async () => {
    const server = await startPostgres({ fsync: false, own: true });
    onTestFinished(() => server.stop());
    const url = await server.createDatabase();
    const bouncer = await startPgBouncer(url);
    onTestFinished(() => bouncer.stop());

    await migratePostgres({ url: bouncer.url });

    const raw = rawConnection(onTestFinished, url);
    const [held] = await raw`select count(*)::int from pg_locks where locktype = 'advisory'`;
    expect(held).toEqual({ count: 0 });
  });
});
