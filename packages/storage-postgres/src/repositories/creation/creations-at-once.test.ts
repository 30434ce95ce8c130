// Hundreds of simultaneous creations on a real Postgres.
import type { CreateOutcome, CreateRequest, Storage } from '@countersign/domain/storage';
import { DELETE_ALL } from '@countersign/test-support/installation/delete-all';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { afterAll, describe, expect, it } from 'vitest';
import { givenMigrated } from '../../../test-support/migrated.ts';
import { rawConnection } from '../../../test-support/raw.ts';
import { aClient, aCreateRequest, CLIENT } from '../../../test-support/records.ts';
import { createPostgresStorage } from '../../postgres-storage.ts';

const MONTH = '2026-03';

describeWith(['postgres'], 'simultaneous creations of one client', () => {
  const createMigrated = givenMigrated(givenPostgres());
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const closing: (() => Promise<unknown>)[] = [];
  const opened = new Map<number, ReturnType<typeof open>>();

  /** Opens several instances on a new database. */
  async function open(count: number) {
    const url = await createMigrated();
    const instances = await Promise.all(Array.from({ length: count }, () => createPostgresStorage({ url })));
    closing.push(() => Promise.all(instances.map((storage) => storage.close())));
    const raw = rawConnection((close) => closing.push(close), url);
    /** Returns the instance of the `n`th call. */
    const of = (n: number) => instances[n % count] as Storage;
    return { of, storage: of(0), raw };
  }

  /**
   * Gives several instances on a database that has only `CLIENT`. Tests share them: to connect takes Postgres longer than most
   * of the tests.
   */
  async function given(count: number) {
    const making = opened.get(count) ?? open(count);
    opened.set(count, making);
    const database = await making;
    await database.raw.unsafe(DELETE_ALL);
    await database.storage.clients.create({ client: CLIENT, subscription: null });
    return database;
  }

  /** Reads what is stored, and checks that each row was charged and has its event. */
  async function storedOf({ of, raw }: Pick<Awaited<ReturnType<typeof given>>, 'of' | 'raw'>): Promise<Stored[]> {
    const rows = await raw<Stored[]>`
      select id::text, subject_reference as subject, idempotency_key as key from verifications order by id`;
    const events = await raw`select verification_id::text as id from verification_events order by 1`;
    expect(events.map(({ id }) => String(id))).toEqual(rows.map(({ id }) => id));
    expect(await of(0).clients.usedIn(CLIENT.id, MONTH)).toBe(rows.length);
    return [...rows];
  }

  describe('one instance decides as if they came one after the other', () => {
    it.each(casesOf([64, 200, 500]))('$count, at a limit of $allowance', async ({ count, allowance }) => {
      const database = await given(1);
      const requests = rivals(count, allowance);

      const outcomes = await Promise.all(requests.map((one) => database.storage.verifications.createCharged(one)));

      expect(outcomes.map(briefly)).toEqual(inOrder(requests, allowance));
      const created = requests.filter((_, n) => outcomes[n]?.outcome === 'created');
      expect((await storedOf(database)).map(({ id }) => id)).toEqual(created.map(({ record }) => record.id));
    });
  });

  describe.each([2, 4])('%i instances together', (instances) => {
    it.each(casesOf([64, 500]))(
      'decide $count exactly, at a limit of $allowance',
      async ({ count, allowance }) => {
        const database = await given(instances);
        const requests = rivals(count, allowance);

        const outcomes = await Promise.all(
          requests.map((one, n) => database.of(n).verifications.createCharged(one)),
        );

        const stored = await storedOf(database);
        const groups = inOrder(requests, count).filter((outcome) => outcome === 'created').length;
        expect(stored.length).toBeLessThanOrEqual(allowance);
        // A creation that lost its key to one and its subject to another leaves room.
        if (allowance <= count / 4) expect(stored).toHaveLength(Math.min(allowance, groups));
        for (const [n, outcome] of outcomes.entries()) {
          const { id, subjectReference, idempotencyKey } = (requests[n] as CreateRequest).record;
          const active = stored.find(({ subject }) => subject === subjectReference);
          const used = stored.find(({ key }) => key !== null && key === idempotencyKey);
          switch (outcome?.outcome) {
            case 'created':
              expect(active).toEqual({ id, subject: subjectReference, key: idempotencyKey });
              break;
            case 'key_used':
              expect(outcome.record.id).toBe(used?.id);
              expect(used?.id).not.toBe(id);
              break;
            case 'duplicate':
              expect(outcome).toEqual({ outcome: 'duplicate', verificationId: active?.id, status: 'pending' });
              expect(active?.id).not.toBe(id);
              expectEarlier({ winner: active?.id, loser: n, instances, requests });
              break;
            default:
              expect(outcome).toEqual({ outcome: 'limit_reached' });
              expect([active, used, stored.length]).toEqual([undefined, undefined, allowance]);
          }
        }
      },
    );
  });

  it('simultaneous creations of one client with two allowances: neither is exceeded', async () => {
    const database = await given(2);
    const requests = Array.from({ length: 120 }, (_, n) =>
      aCreateRequest(n, { allowance: n % 3 === 0 ? 30 : 60 }),
    );

    const outcomes = await Promise.all(requests.map((one, n) => database.of(n).verifications.createCharged(one)));

    const created = outcomes.filter((outcome) => outcome?.outcome === 'created');
    expect(created.length).toBeLessThanOrEqual(60);
    expect(outcomes.filter((outcome) => outcome?.outcome === 'limit_reached')).toHaveLength(120 - created.length);
    expect(await storedOf(database)).toHaveLength(created.length);
  });

  it('simultaneous creations of several clients: each has its own limit', async () => {
    const { storage } = await given(1);
    const clients = [2, 3, 4].map(aClient);
    for (const client of clients) await storage.clients.create({ client, subscription: null });
    const requests = clients.flatMap((client, c) =>
      Array.from({ length: 50 }, (_, n) => aCreateRequest(c * 50 + n, { client, allowance: 20 + c })),
    );

    const outcomes = await Promise.all(requests.map((one) => storage.verifications.createCharged(one)));

    const created = clients.map(
      ({ id }) =>
        requests.filter(({ record }, n) => record.clientId === id && outcomes[n]?.outcome === 'created').length,
    );
    expect(created).toEqual([20, 21, 22]);
    for (const [c, { id }] of clients.entries()) expect(await storage.clients.usedIn(id, MONTH)).toBe(20 + c);
  });

  it('a row that the database refuses, or whose id is taken, rejects alone', async () => {
    const database = await given(1);
    const requests = Array.from({ length: 20 }, (_, n) => aCreateRequest(n));
    const refused = withRecord(aCreateRequest(21), { metadata: { text: 'a\u0000' } });
    const taken = withRecord(aCreateRequest(22), { id: requests[3]?.record.id ?? '' });

    const { createCharged } = database.storage.verifications;
    const results = await Promise.allSettled(
      [...requests.slice(0, 10), refused, taken, ...requests.slice(10)].map((one) => createCharged(one)),
    );

    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 22 }, (_, n) => (n === 10 || n === 11 ? 'rejected' : 'fulfilled')),
    );
    expect(results[11]).toMatchObject({ reason: { constraint: 'verifications_pk' } });
    expect(await storedOf(database)).toHaveLength(20);
  });

  it('simultaneous creations of an unknown client: each rejects, and nothing is stored', async () => {
    const database = await given(1);

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        database.storage.verifications.createCharged(aCreateRequest(n, { client: aClient(9) })),
      ),
    );

    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
    expect(await storedOf(database)).toEqual([]);
  });

  it('closing waits for those that wait', async () => {
    const database = await given(2);
    // The next test opens others.
    opened.delete(2);

    const outcomes = Promise.all(
      Array.from({ length: 300 }, (_, n) => database.storage.verifications.createCharged(aCreateRequest(n))),
    );
    await database.storage.close();

    expect((await outcomes).every(({ outcome }) => outcome === 'created')).toBe(true);
    expect(await storedOf({ ...database, of: () => database.of(1) })).toHaveLength(300);
  });
});

interface Stored {
  readonly id: string;
  readonly subject: string;
  readonly key: string | null;
}

function casesOf(counts: readonly number[]): { count: number; allowance: number }[] {
  return counts.flatMap((count) => [0, 1, 10, count / 4, count - 1].map((allowance) => ({ count, allowance })));
}

/** Returns creations of which some share a subject, some an `Idempotency-Key`, and some both with different ones. */
function rivals(count: number, allowance: number): CreateRequest[] {
  let seed = count * 1_000 + allowance;
  const upTo = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  return Array.from({ length: count }, (_, n) => {
    const key = upTo(2) === 0 ? null : `key-${upTo(count)}`;
    return withRecord(aCreateRequest(n, { allowance }), {
      subjectReference: `subject-${upTo(count)}`,
      idempotencyKey: key,
      idempotencyFingerprint: key,
    });
  });
}

function withRecord(request: CreateRequest, values: Partial<CreateRequest['record']>): CreateRequest {
  const record = { ...request.record, ...values };
  return { ...request, record, event: { ...request.event, verificationId: record.id } };
}

/** Decides the creations one after the other. */
function inOrder(requests: readonly CreateRequest[], allowance: number): string[] {
  const bySubject = new Map<string, string>();
  const byKey = new Map<string, string>();
  return requests.map(({ record: { id, subjectReference, idempotencyKey } }) => {
    const used = idempotencyKey === null ? undefined : byKey.get(idempotencyKey);
    if (used !== undefined) return `key_used ${used}`;
    const active = bySubject.get(subjectReference);
    if (active !== undefined) return `duplicate ${active}`;
    if (bySubject.size >= allowance) return 'limit_reached';
    bySubject.set(subjectReference, id);
    if (idempotencyKey !== null) byKey.set(idempotencyKey, id);
    return 'created';
  });
}

function briefly(outcome: CreateOutcome): string {
  if (outcome.outcome === 'key_used') return `key_used ${outcome.record.id}`;
  return outcome.outcome === 'duplicate' ? `duplicate ${outcome.verificationId}` : outcome.outcome;
}

/** Within one instance, the earliest of a subject wins. */
function expectEarlier(given: {
  winner: string | undefined;
  loser: number;
  instances: number;
  requests: readonly CreateRequest[];
}): void {
  const winner = given.requests.findIndex(({ record }) => record.id === given.winner);
  if (winner % given.instances === given.loser % given.instances) expect(winner).toBeLessThan(given.loser);
}
