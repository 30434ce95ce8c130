import type { BrowseRequest } from '@countersign/domain';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { type Storage, unreadableRecord } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { dashboardOf } from '@countersign/test-support/installation/dashboard';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, outcomesOf, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const MINUTE = 60_000;

let service: Service;
let client: Awaited<ReturnType<typeof givenClient>>;

beforeEach(async () => {
  service = givenService();
  client = await givenClient(service);
});

const ofClient = (clientId: string = client.clientId) => dashboardOf(service, clientId).verifications;

async function creating(subjectReference: string, { principal } = client, subjectType = 'kyc') {
  return (await service.countersign.verifications.create(principal, { subjectType, subjectReference }))
    .verification;
}

/** Creates verifications, two at a time with the same `requestedAt`. */
async function givenMany(count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    if (n % 2 === 0) service.clock.advance(MINUTE);
    await creating(`user_${n}`);
  }
}

async function submitting(id: string): Promise<number> {
  const { countersign } = service;
  const { verificationUrl } = await countersign.verifications.get(client.principal, id);
  const { access } = await countersign.subject.open(verificationUrl.split('/').at(-1) as string);
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
  return (await countersign.subject.submit(access)).version;
}

const references = async (request: BrowseRequest) =>
  (await ofClient().browse(request)).items.map(({ subjectReference }) => subjectReference);

async function taken<T>(rows: AsyncIterable<T>, found: T[] = []): Promise<T[]> {
  for await (const row of rows) found.push(row);
  return found;
}

const exactly = (count: number) => ({ count, isExact: true });

describe('the list', () => {
  it('shows 25 a page, newest first, each once, while others are created', async () => {
    await givenMany(60);
    const seen: string[] = [];
    let after: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await ofClient().browse({ after });
      seen.push(...page.items.map(({ subjectReference }) => subjectReference));
      sizes.push(page.items.length);
      after = page.next ?? undefined;
      service.clock.advance(MINUTE);
      await creating(`late_${sizes.length}`);
    } while (after !== undefined);
    expect(sizes).toEqual([25, 25, 10]);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `user_${60 - index}`));
  });

  it('the list has no next page after exactly 25, and counts all matches', async () => {
    await givenMany(25);
    expect(await ofClient().browse({})).toMatchObject({ next: null, total: exactly(25) });
    await creating('user_26');
    const { next, total } = await ofClient().browse({});
    expect(total).toEqual(exactly(26));
    expect(await ofClient().browse({ after: next as string })).toMatchObject({
      items: [{}],
      next: null,
      total: exactly(26),
    });
  });

  it('shows the columns of each, in every status', async () => {
    const { id } = await creating('user_1');
    service.clock.advance(MINUTE);
    const version = await submitting(id);
    const submittedAt = service.clock.now();
    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear' } as const];
    await reviewAs(service.countersign).askForAction({ verificationId: id, version }, { items });
    const [shown] = (await ofClient().browse({})).items;
    expect(shown).toEqual({
      id,
      type: 'kyc',
      subjectReference: 'user_1',
      status: 'action_needed',
      requestedAt: new Date(submittedAt.getTime() - MINUTE),
      submittedAt,
      resolvedAt: null,
      currentStep: 3,
      totalSteps: 6,
      endedBy: null,
    });
  });

  it('filters by status, type and the prefix of the reference, case included', async () => {
    for (const reference of ['user_1', 'userX2', 'User_3', ' user_4', '100%', '1000', '\\d'])
      await creating(reference);
    await creating('user_5', client, 'kyb');
    expect((await references({ search: 'user_' })).sort()).toEqual(['user_1', 'user_5']);
    expect(await references({ search: 'user_', type: 'kyb' })).toEqual(['user_5']);
    expect(await references({ search: ' user' })).toEqual([' user_4']);
    expect(await references({ search: '100%' })).toEqual(['100%']);
    expect(await references({ search: '\\' })).toEqual(['\\d']);
    expect(await references({ status: 'approved' })).toEqual([]);
    expect(await references({ status: 'pending' })).toHaveLength(8);
  });

  it('filters by days in UTC, both included', async () => {
    for (const moment of [
      '2026-03-01T23:59:59.999Z',
      '2026-03-02T00:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
      '2026-03-03T00:00:00.000Z',
    ]) {
      service.clock.set(moment);
      await creating(moment);
    }
    const [first, second, third, fourth] = (await references({})).reverse();
    expect(await references({ fromDay: '2026-03-02', untilDay: '2026-03-02' })).toEqual([third, second]);
    expect(await references({ fromDay: '2026-03-03' })).toEqual([fourth]);
    expect(await references({ untilDay: '2026-03-01' })).toEqual([first]);
    expect(await references({ fromDay: '2026-03-04' })).toEqual([]);
  });

  it.each([
    ['an unknown status', { status: 'done' }, 'status'],
    ['an unknown type', { type: 'KYC' }, 'type'],
    ['an empty search', { search: '' }, 'search'],
    ['a search of 257 characters', { search: 'ä'.repeat(257) }, 'search'],
    ['a search with NUL', { search: 'a\u0000' }, 'search'],
    ['a day that does not exist', { fromDay: '2026-02-30' }, 'fromDay'],
    ['a day in another form', { untilDay: '1.3.2026' }, 'untilDay'],
    ['a day before all computers', { fromDay: '0000-01-01' }, 'fromDay'],
    ['the last day that can be written', { untilDay: '9999-12-31' }, 'untilDay'],
    ['an end before the beginning', { fromDay: '2026-03-02', untilDay: '2026-03-01' }, 'untilDay'],
    ['an unknown field', { clientId: 'other' }, 'clientId'],
  ])('refuses %s, for an export too', async (_what, request, path) => {
    const refused = expect.objectContaining({
      code: 'INVALID_PARAMETERS',
      data: { issues: [expect.objectContaining({ path })] },
    });
    await expect(ofClient().browse(request as BrowseRequest)).rejects.toThrow(refused);
    await expect(ofClient().export(request as BrowseRequest)).rejects.toThrow(refused);
  });

  it.each([
    '',
    'x',
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T10:00:00.000Z_',
    '2026-03-01T10:00:00.000Z_nobody',
    '2026-03-01_00000000-0000-7000-8000-000000000001',
    '2026-02-30T10:00:00.000Z_00000000-0000-7000-8000-000000000001',
    '2026-03-01T25:00:00.000Z_00000000-0000-7000-8000-000000000001',
    '0000-03-01T10:00:00.000Z_00000000-0000-7000-8000-000000000001',
    '9999-03-01T10:00:00.000Z_00000000-0000-7000-8000-000000000001',
    '2026-03-01T10:00:00.000Z_00000000-0000-7000-8000-000000000001\n',
    "2026-03-01T10:00:00.000Z_00000000-0000-7000-8000-00000000000' or 1",
  ])('refuses the forged position %j', async (after) => {
    await expect(ofClient().browse({ after })).rejects.toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMETERS',
        data: { issues: [expect.objectContaining({ path: 'after' })] },
      }),
    );
  });

  it('shows nothing of another client, also from a position in the list of the other', async () => {
    await givenMany(30);
    const other = await givenClient(service);
    const { next } = await ofClient().browse({});
    expect(await ofClient(other.clientId).browse({ after: next as string })).toEqual({
      items: [],
      total: exactly(0),
      next: null,
    });
  });
});

describe('an opened verification', () => {
  it('an opened verification has submitted data only for callers with the right to read it', async () => {
    const { id } = await creating('user_1');
    await submitting(id);
    const whole = await ofClient().open(id);
    expect(whole).toMatchObject({
      status: 'submitted',
      totalSteps: 6,
      submittedData: { person: { lastName: 'Lovelace' } },
      documents: [{ kind: 'document_front' }, { kind: 'selfie' }],
      history: [{ status: 'pending' }, { status: 'submitted' }],
    });
    const viewers = await dashboardOf(service, client.clientId, { teamRole: 'viewer' }).verifications.open(id);
    expect(viewers).toEqual({ ...whole, submittedData: null, documents: null, verificationUrl: null });
    expect(JSON.stringify(viewers)).not.toContain('Lovelace');
  });

  it('an opened verification has the link only for callers with the right to manage verifications', async () => {
    const { id, verificationUrl } = await creating('user_1');
    const openedBy = (teamRole: 'owner' | 'agent' | 'viewer') =>
      dashboardOf(service, client.clientId, { teamRole }).verifications.open(id);
    expect((await openedBy('owner')).verificationUrl).toBe(verificationUrl);
    expect((await openedBy('agent')).verificationUrl).toBe(verificationUrl);
    expect(JSON.stringify(await openedBy('viewer'))).not.toContain('/verify/');
  });

  it('names the legal moves and the expiry of the link', async () => {
    const { id } = await creating('user_1');
    expect(await ofClient().open(id)).toMatchObject({
      mayWithdraw: true,
      mayRenewLink: true,
      linkExpiresAt: new Date('2026-03-31T10:00:00.000Z'),
    });
    await submitting(id);
    expect(await ofClient().open(id)).toMatchObject({ mayWithdraw: false, mayRenewLink: false });
  });

  it('an opened verification is not found if it belongs to another client or does not exist', async () => {
    const other = await givenClient(service);
    const { id } = await creating('user_1', other);
    for (const unknown of [id, 'unknown', '', '\u0000']) {
      const { open, withdraw, renewLink } = ofClient();
      for (const attempt of [open(unknown), withdraw(unknown), renewLink(unknown)]) {
        await expect(attempt).rejects.toThrow(withCode('VERIFICATION_NOT_FOUND'));
      }
    }
    expect(await ofClient(other.clientId).open(id)).toMatchObject({ status: 'pending' });
  });
});

describe('a verification created in the dashboard', () => {
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };

  it('a verification created in the dashboard is counted like one from the API, and its history names the user', async () => {
    const created = await ofClient().create(body);
    expect(created).toMatchObject({ status: 'pending', verificationUrl: expect.stringContaining(created.id) });
    expect(await service.countersign.clients.usage(client.clientId)).toMatchObject({ used: 1 });
    const whole = await service.storage.verifications.findWithEventsForAnyClient(created.id, 100);
    expect(whole?.events.map(({ actor }) => actor)).toEqual([{ kind: 'team_member', id: 'staff-1' }]);
    await expect(creating('user_1')).rejects.toThrow(withCode('DUPLICATE_SUBJECT_REFERENCE'));
  });

  it('a form of the dashboard that is sent twice creates one verification, also at the same time', async () => {
    const idempotencyKey = 'form-1';
    const [first, second] = await Promise.all([
      ofClient().create(body, { idempotencyKey }),
      ofClient().create(body, { idempotencyKey }),
    ]);
    expect(second).toEqual(first);
    expect(await ofClient().create(body, { idempotencyKey })).toEqual(first);
    expect(await service.countersign.clients.usage(client.clientId)).toMatchObject({ used: 1 });
    const changed = ofClient().create({ ...body, subjectReference: 'user_2' }, { idempotencyKey });
    await expect(changed).rejects.toThrow(withCode('IDEMPOTENCY_KEY_REUSED'));
  });

  it('may be corrected and sent again with the same form after a refusal', async () => {
    const idempotencyKey = 'form-1';
    await expect(ofClient().create({ ...body, subjectReference: '' }, { idempotencyKey })).rejects.toThrow(
      withCode('MISSING_SUBJECT_REFERENCE'),
    );
    await creating('user_1');
    await expect(ofClient().create(body, { idempotencyKey })).rejects.toThrow(
      withCode('DUPLICATE_SUBJECT_REFERENCE'),
    );
    await expect(
      ofClient().create({ ...body, subjectReference: 'user_2' }, { idempotencyKey }),
    ).resolves.toBeDefined();
  });

  it('a verification created in the dashboard is refused at the monthly limit and without an active subscription', async () => {
    const { countersign } = service;
    await countersign.clients.setSubscription(client.clientId, { monthlyLimit: 3 });
    const calls = Array.from({ length: 10 }, (_, n) =>
      ofClient().create({ ...body, subjectReference: `user_${n}` }),
    );
    expect(await outcomesOf(calls)).toEqual({ ok: 3, LIMIT_EXCEEDED: 7 });
    await countersign.clients.setSubscription(client.clientId, { status: 'canceled' });
    await expect(ofClient().create({ ...body, subjectReference: 'new' })).rejects.toThrow(
      withCode('NO_ACTIVE_SUBSCRIPTION'),
    );
  });
});

describe('a pending verification', () => {
  it('a pending verification is withdrawn, and the history names the user', async () => {
    const { id } = await creating('user_1');
    expect(await ofClient().withdraw(id)).toMatchObject({ status: 'rejected' });
    const whole = await service.storage.verifications.findWithEventsForAnyClient(id, 100);
    expect(whole?.events.at(-1)).toMatchObject({
      type: 'verification.withdrawn',
      actor: { kind: 'team_member', id: 'staff-1' },
    });
    await expect(ofClient().withdraw(id)).rejects.toThrow(withCode('ILLEGAL_TRANSITION'));
  });

  it('gets a new link, and the previous one ends', async () => {
    const { id, verificationUrl } = await creating('user_1');
    const renewed = await ofClient().renewLink(id);
    expect(renewed.verificationUrl).not.toBe(verificationUrl);
    const { open } = service.countersign.subject;
    await expect(open(verificationUrl.split('/').at(-1) as string)).rejects.toThrow(withCode('LINK_INVALID'));
    await expect(open(renewed.verificationUrl.split('/').at(-1) as string)).resolves.toBeDefined();
  });
});

describe('an export', () => {
  /** Counts reads of pages, and fails the one with this number. */
  function countedReads(failing = 0): { storage: Storage; reads: () => number } {
    const storage = createMemoryStorage();
    let reads = 0;
    const browse: Storage['verifications']['browse'] = (...query) => {
      reads += 1;
      if (reads === failing) throw new Error('the database is gone');
      return storage.verifications.browse(...query);
    };
    return { storage: { ...storage, verifications: { ...storage.verifications, browse } }, reads: () => reads };
  }

  async function givenExport(count: number, failing?: number) {
    const { storage, reads } = countedReads(failing);
    service = givenService({ storage });
    client = await givenClient(service, { monthlyLimit: 5000 });
    await givenMany(count);
    return { reads, ...(await ofClient().export({})) };
  }

  it.each([0, 1, 99, 100, 101, 303])('an export of %i has each once, newest first', async (count) => {
    const { rows, totalCount } = await givenExport(count);
    const found = await taken(rows);
    expect(found.map(({ subjectReference }) => subjectReference)).toEqual(
      Array.from({ length: count }, (_, index) => `user_${count - index}`),
    );
    expect(totalCount).toBe(count);
  });

  it('counts the matches once, however many pages it reads', async () => {
    const { storage: plain } = givenService();
    const counted: boolean[] = [];
    const { browse } = plain.verifications;
    const verifications = {
      ...plain.verifications,
      browse: (...[clientId, query]: Parameters<typeof browse>) => {
        counted.push(query.withoutTotal !== true);
        return browse(clientId, query);
      },
    };
    service = givenService({ storage: { ...plain, verifications } });
    client = await givenClient(service, { monthlyLimit: 5000 });
    await givenMany(303);
    const { rows, totalCount } = await ofClient().export({});
    expect(await taken(rows)).toHaveLength(totalCount);
    expect(counted).toEqual([true, false, false, false]);
  });

  it('reads no page before its rows are needed', async () => {
    const { rows, reads } = await givenExport(303);
    expect(reads()).toBe(1);
    const row = rows[Symbol.asyncIterator]();
    for (let n = 1; n <= 100; n += 1) await row.next();
    expect(reads()).toBe(1);
    await row.next();
    expect(reads()).toBe(2);
    await row.return?.();
    expect(reads()).toBe(2);
  });

  it('ends with the error of a page that cannot be read', async () => {
    const { rows } = await givenExport(303, 2);
    const found: unknown[] = [];
    await expect(taken(rows, found)).rejects.toThrow('the database is gone');
    expect(found).toHaveLength(100);
  });

  it('an export has the matching verifications of this client only', async () => {
    await creating('user_1');
    await creating('other_1');
    await creating('user_1', await givenClient(service));
    const { rows, totalCount } = await ofClient().export({ search: 'user' });
    expect([totalCount, (await taken(rows)).length]).toEqual([1, 1]);
  });
});

describe('one verification whose stored documents cannot be read', () => {
  type Browse = Storage['verifications']['browse'];

  /** Damages the stored answers, as a bug or a stray statement would. */
  async function damageRow(id: string): Promise<void> {
    const { verifications } = service.storage;
    const record = await verifications.find(client.clientId, id);
    if (record === null) throw new Error('the verification is missing');
    const damaged = { ...record, version: record.version + 1, answers: { steps: 'damaged' } };
    await verifications.commit({ record: damaged, expectedVersion: record.version, events: [] });
  }

  /** Makes the storage return it as one whose encryption key is lost. */
  async function loseKey(id: string): Promise<void> {
    const { storage } = service;
    const fault = new Error('the key is lost');
    const browse: Browse = async (...query) => {
      const { records, totalCount } = await storage.verifications.browse(...query);
      return { records: records.map((row) => (row.id === id ? unreadableRecord(row, fault) : row)), totalCount };
    };
    const findWithHistory: Storage['verifications']['findWithHistory'] = async (...ids) => {
      const found = await storage.verifications.findWithHistory(...ids);
      return found && { ...found, record: unreadableRecord(found.record, fault) };
    };
    const verifications = { ...storage.verifications, browse, findWithHistory };
    service = givenService({ storage: { ...storage, verifications } });
  }

  it.each([
    ['its answers are damaged', damageRow, 'answers.steps cannot be read'],
    ['its key is lost', loseKey, 'the key is lost'],
  ])('%s: list and export stay whole, and only opening it is a fault', async (_, damage, message) => {
    await givenMany(3);
    const [, middle] = (await ofClient().browse({})).items;
    await damage(middle?.id ?? '');

    const { items, total } = await ofClient().browse({});
    expect(total).toEqual(exactly(3));
    expect(items.map(({ subjectReference }) => subjectReference)).toEqual(['user_3', 'user_2', 'user_1']);
    expect(items[1]).toEqual(middle);
    const exported = await ofClient().export({});
    expect(exported.totalCount).toBe(3);
    expect(await taken(exported.rows)).toEqual(items.map(({ endedBy: _, ...row }) => row));
    await expect(ofClient().open(middle?.id ?? '')).rejects.toThrow(message);
  });
});
