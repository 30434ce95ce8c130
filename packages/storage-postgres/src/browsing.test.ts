// Loads verifications into a real Postgres: it counts days in its own time zone.
import type { BrowseQuery } from '@countersign/domain/storage';
import { BROWSE } from '@countersign/test-support/records/queries';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../test-support/raw.ts';
import { aCreateRequest, CLIENT, verificationId } from '../test-support/records.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const ALL: BrowseQuery = { ...BROWSE, limit: 100 };

const WITH_A = ['a', 'a%b', 'a_b', 'ab', 'a\\', 'a\u{10ffff}'];
const REFERENCES = [...WITH_A, 'A', '\u{d7ff}x', '\u{e000}', '\u{10ffff}\u{10ffff}'];

describeWith(['postgres'], 'what a client looks through', () => {
  const server = givenPostgres();

  async function givenVerifications(given: readonly { subjectReference?: string; requestedAt?: Date }[]) {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    for (const [n, one] of given.entries()) {
      const { record, ...rest } = aCreateRequest(n);
      const answers = { steps: { person: 'sealed' } };
      await storage.verifications.createCharged({ ...rest, record: { ...record, ...one, answers } });
    }
    return { url, verifications: storage.verifications };
  }

  it('counts by day in UTC, in any time zone of the session', async () => {
    const days = ['2026-03-09T23:59:59.999Z', '2026-03-10T00:00:00.000Z', '2026-03-10T23:59:59.999Z'];
    const { url, verifications } = await givenVerifications(days.map((at) => ({ requestedAt: new Date(at) })));
    const raw = rawConnection(onTestFinished, url);
    const database = new URL(url).pathname.slice(1);

    for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata']) {
      await raw.unsafe(`alter database "${database}" set timezone = '${zone}'`);
      await raw.unsafe(`alter database "${database}" set datestyle = 'German'`);
      const storage = await createPostgresStorage({ url });
      onTestFinished(() => storage.close());
      for (const day of [20_521, 20_522]) {
        await storage.counters.recount({ clientId: CLIENT.id, day, type: 'kyc' });
      }

      const counts = await storage.verifications.counts(CLIENT.id);
      expect(counts.map(({ day, counts: { pending } }) => ({ day, pending }))).toEqual([
        { day: 20_521, pending: 1 },
        { day: 20_522, pending: 2 },
      ]);
      expect(await storage.counters.differences(CLIENT.id)).toEqual([]);
      expect(counts).toEqual(await verifications.counts(CLIENT.id));
    }
  });

  it.each([
    ['a', WITH_A],
    ['a%', ['a%b']],
    ['a_', ['a_b']],
    ['a\\', ['a\\']],
    ['A', ['A']],
    ['\u{d7ff}', ['\u{d7ff}x']],
    ['\u{e000}', ['\u{e000}']],
    ['\u{10ffff}', ['\u{10ffff}\u{10ffff}']],
    ['', REFERENCES],
  ])('a search for references that begin with %j finds exactly those', async (prefix, expected) => {
    const given = REFERENCES.map((subjectReference) => ({ subjectReference }));
    const { verifications } = await givenVerifications(given);

    const page = await verifications.browse(CLIENT.id, { ...ALL, subjectReferencePrefix: prefix });

    const found = page.records.map(({ subjectReference }) => subjectReference);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(page.totalCount).toBe(expected.length);
  });

  it('browse: a prefix that most of 25,000 references have is compared in the order of the page', async () => {
    const { url, verifications } = await givenVerifications([{ subjectReference: 'other' }]);
    const raw = rawConnection(onTestFinished, url);
    // Every third is a business; minutes pass from one to the next, and references are in another order.
    // `lateral`, because `(f(…)).*` calls the function once for each column.
    await raw.unsafe(`
      insert into verifications
      select copied.*
      from verifications v, generate_series(1, 25000) n,
        lateral jsonb_populate_record(null::verifications, to_jsonb(v) || jsonb_build_object(
          'id', '00000000-0000-7000-8001-' || lpad(n::text, 12, '0'),
          'type', case when n % 3 = 0 then 'kyb' else 'kyc' end,
          'subject_reference', 'user_' || n * 7919 % 25000,
          'requested_at', timestamptz '2025-01-01 00:00Z' + n * interval '1 minute')) copied`);
    const search = { ...ALL, subjectReferencePrefix: 'user_', countUpTo: 1_000, limit: 20 };
    const numbersOf = async (query: BrowseQuery) => {
      const { records, totalCount } = await verifications.browse(CLIENT.id, query);
      return { numbers: records.map(({ id }) => Number(id.slice(-12))), totalCount };
    };

    const first = await numbersOf(search);
    expect(first.numbers).toEqual(Array.from({ length: 20 }, (_, index) => 25_000 - index));
    expect(first.totalCount).toBeGreaterThan(1_000);
    const requestedAt = new Date(Date.UTC(2025, 0, 1) + 100 * 60_000);
    const after = { requestedAt, id: '00000000-0000-7000-8001-000000000100' };
    expect((await numbersOf({ ...search, type: 'kyb', after })).numbers).toEqual(
      Array.from({ length: 20 }, (_, index) => 99 - 3 * index),
    );
    const { countUpTo: _, ...exact } = search;
    expect((await numbersOf({ ...exact, type: 'kyb' })).totalCount).toBe(8_333);
    const until = { ...search, requestedUntil: after.requestedAt };
    expect(await numbersOf(until)).toEqual({
      numbers: Array.from({ length: 20 }, (_, index) => 99 - index),
      totalCount: 99,
    });
    const few = await numbersOf({ ...search, subjectReferencePrefix: 'user_777' });
    expect(few.totalCount).toBe(11);
  });

  it('browse: returns no answers, and the same total on every page', async () => {
    const { verifications } = await givenVerifications([{}, {}, {}]);
    const after = { requestedAt: aCreateRequest(0).record.requestedAt, id: verificationId(2) };

    const page = await verifications.browse(CLIENT.id, { ...ALL, after, limit: 1 });

    expect(page.records.map(({ id }) => id)).toEqual([verificationId(1)]);
    expect(page.records.map(({ answers }) => answers)).toEqual([{}]);
    expect(page.totalCount).toBe(3);
    const beyond = { ...after, id: verificationId(0) };
    expect(await verifications.browse(CLIENT.id, { ...ALL, after: beyond })).toEqual({
      records: [],
      totalCount: 3,
    });
  });
});
