import type { Countersign, ReviewQueueInput, SubjectType } from '@countersign/domain';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import {
  givenClient,
  givenRacingStorage,
  givenService,
  outcomesOf,
  type Service,
} from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const MINUTE = 60_000;

let service: Service;
let countersign: Countersign;
let client: Awaited<ReturnType<typeof givenClient>>;

beforeEach(async () => {
  service = givenService();
  countersign = service.countersign;
  client = await givenClient(service);
});

async function givenSubmitted(subjectReference = 'user_1', type: SubjectType = 'kyc', of = client) {
  const { verification } = await countersign.verifications.create(of.principal, {
    subjectType: type,
    subjectReference,
  });
  const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) as string);
  for (const step of stepsOf(currentFlow(type))) await answerStep(countersign, access, step);
  service.clock.advance(MINUTE);
  return { id: verification.id, version: (await countersign.subject.submit(access)).version };
}

const seen = ({ id, version }: { id: string; version: number }) => ({ verificationId: id, version });

describe('the queue', () => {
  it('lists the longest wait first, with the name of the client and without personal data', async () => {
    const first = await givenSubmitted('user_1');
    const second = await givenSubmitted('user_2', 'kyb');
    await countersign.warnings.settled();
    const { items, total, next } = await reviewAs(countersign).queue();
    expect(items.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(items[0]).toEqual({
      id: first.id,
      clientId: client.clientId,
      clientName: 'Acme',
      type: 'kyc',
      subjectReference: 'user_1',
      status: 'submitted',
      requestedAt: new Date('2026-03-01T10:00:00.000Z'),
      submittedAt: new Date('2026-03-01T10:01:00.000Z'),
      dueAt: null,
      claim: null,
      severity: 'warning',
      endedBy: null,
    });
    expect([total, next]).toEqual([{ count: 2, isExact: true }, null]);
    expect(JSON.stringify(items)).not.toContain('Lovelace');
  });

  it('filters by type, client, claim and status', async () => {
    const other = await givenClient(service);
    const mine = await givenSubmitted('user_1');
    const theirs = await givenSubmitted('user_1', 'kyb', other);
    await reviewAs(countersign).claim(seen(mine));
    const idsOf = async (query: ReviewQueueInput) =>
      (await reviewAs(countersign).queue(query)).items.map(({ id }) => id);
    expect(await idsOf({ type: 'kyb' })).toEqual([theirs.id]);
    expect(await idsOf({ clientId: client.clientId })).toEqual([mine.id]);
    expect(await idsOf({ claimedBy: 'staff-1' })).toEqual([mine.id]);
    expect(await idsOf({ unclaimed: true })).toEqual([theirs.id]);
    expect(await idsOf({ status: 'approved' })).toEqual([]);
    const { next } = await reviewAs(countersign).queue({ limit: 1 });
    expect(await idsOf({ limit: 1, after: next ?? '' })).toEqual([theirs.id]);
  });

  it('reads the name of each client once a page', async () => {
    const memory = createMemoryStorage();
    const asked: (readonly string[])[] = [];
    const names: typeof memory.clients.names = async (clientIds) => {
      asked.push(clientIds);
      return memory.clients.names(clientIds);
    };
    service = givenService({ storage: { ...memory, clients: { ...memory.clients, names } } });
    countersign = service.countersign;
    client = await givenClient(service);
    for (const reference of ['user_1', 'user_2', 'user_3']) await givenSubmitted(reference);
    asked.length = 0;
    await reviewAs(countersign).queue();
    expect(asked).toEqual([[client.clientId]]);
  });

  it('needs neither answers nor reviewData of the records', async () => {
    const memory = createMemoryStorage();
    const queue: typeof memory.verifications.queue = async (query) => {
      const { records, totalCount } = await memory.verifications.queue(query);
      return { records: records.map((record) => ({ ...record, answers: {}, reviewData: {} })), totalCount };
    };
    service = givenService({ storage: { ...memory, verifications: { ...memory.verifications, queue } } });
    countersign = service.countersign;
    client = await givenClient(service);
    const asked = await givenSubmitted('user_1');
    const items = [{ step: 'document', reasonCode: 'document_glare' as const }];
    await reviewAs(countersign).askForAction(seen(asked), { items });
    const approved = await givenSubmitted('user_2');
    await reviewAs(countersign).approve(seen(approved));
    for (const [status, { id }] of [
      ['action_needed', asked],
      ['approved', approved],
    ] as const) {
      expect((await reviewAs(countersign).queue({ status })).items).toMatchObject([{ id, status }]);
    }
  });

  it.each([{ after: 'x' }, { limit: 101 }, { status: 'done' }, { claimedBy: '' }, { colour: 'red' }])(
    'refuses %o',
    async (query) => {
      await expect(reviewAs(countersign).queue(query as never)).rejects.toThrow(withCode('INVALID_PARAMETERS'));
    },
  );
});

describe('an opened verification', () => {
  it('an opened verification has everything that a reviewer needs', async () => {
    const { id } = await givenSubmitted();
    const opened = await reviewAs(countersign).open(id);
    expect(opened).toMatchObject({
      clientName: 'Acme',
      verification: { id, status: 'submitted', claim: null },
      warnings: [{ code: 'country_mismatch', step: 'document', path: 'issuingCountry', detail: 'GB' }],
    });
    expect(opened.events.map(({ type }) => type)).toContain('verification.submitted');
  });

  it('an opened verification is not found for an unknown id', async () => {
    const calls = [reviewAs(countersign).open('unknown'), reviewAs(countersign).readFile('unknown', 'x')];
    expect(await outcomesOf(calls)).toEqual({ VERIFICATION_NOT_FOUND: 2 });
  });

  it('an opened verification has warnings about numbers from the port `numberChecks`', async () => {
    const check = () => 'does_not_fit' as const;
    const numberChecks = { nationalId: check, taxId: check, vatNumber: check, registrationNumber: check };
    service = givenService({ numberChecks });
    countersign = service.countersign;
    client = await givenClient(service);
    const { id } = await givenSubmitted('user_1', 'kyb');
    const codes = (await reviewAs(countersign).open(id)).warnings.map(({ code }) => code);
    expect(codes).toContain('registration_number_does_not_fit');
  });
});

describe('a claim', () => {
  it('appears in the queue and the reviewers’ history, not in the client’s', async () => {
    const given = await givenSubmitted();
    const { version } = await reviewAs(countersign).claim(seen(given));
    const claim = { reviewerId: 'staff-1', claimedAt: service.clock.now() };
    expect((await reviewAs(countersign).queue()).items[0]?.claim).toEqual(claim);
    await reviewAs(countersign, 'staff-2').release(seen({ ...given, version }));

    const { events, verification } = await reviewAs(countersign).open(given.id);
    expect(verification).toMatchObject({ claim: null });
    expect(events.slice(-2).map(({ type, actor }) => `${type} ${actor.id}`)).toEqual([
      'verification.claimed staff-1',
      'verification.released staff-2',
    ]);
    const details = await countersign.verifications.details(client.principal, given.id);
    expect(details.history.map(({ status }) => status)).toEqual(['pending', 'submitted']);
    expect(JSON.stringify(details)).not.toContain('staff-1');
  });

  it('prevents decisions by other reviewers, whichever version they saw', async () => {
    const given = await givenSubmitted();
    const { version } = await reviewAs(countersign).claim(seen(given));
    const asks = { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' as const }] };
    const other = reviewAs(countersign, 'staff-2');
    const calls = [given, { ...given, version }].flatMap((each) => [
      other.claim(seen(each)),
      other.approve(seen(each)),
      other.reject(seen(each), { reasonCodes: ['data_mismatch'] }),
      other.askForAction(seen(each), asks),
    ]);
    expect(await outcomesOf(calls)).toEqual({ CLAIMED_BY_ANOTHER: 8 });
    await expect(reviewAs(countersign).approve(seen({ id: given.id, version }))).resolves.toMatchObject({
      status: 'approved',
    });
  });

  it('several reviewers claim at the same time: one wins, the others are refused', async () => {
    const { storage, race } = givenRacingStorage();
    service = givenService({ storage });
    countersign = service.countersign;
    client = await givenClient(service);
    const given = await givenSubmitted();
    race(3);
    const calls = ['staff-1', 'staff-2', 'staff-3'].map((who) => reviewAs(countersign, who).claim(seen(given)));
    expect(await outcomesOf(calls)).toEqual({ ok: 1, CLAIMED_BY_ANOTHER: 2 });
  });

  it('again by the same reviewer changes nothing', async () => {
    const given = await givenSubmitted();
    const { version } = await reviewAs(countersign).claim(seen(given));
    service.clock.advance(MINUTE);
    const again = await reviewAs(countersign).claim(seen({ id: given.id, version }));
    expect(again.version).toBe(version);
    await expect(reviewAs(countersign).release(seen(given))).rejects.toThrow(withCode('VERSION_CONFLICT'));
  });

  it('a claim is an illegal transition unless the verification is submitted', async () => {
    const given = await givenSubmitted();
    const { version } = await reviewAs(countersign).approve(seen(given));
    const now = seen({ id: given.id, version });
    const calls = [reviewAs(countersign).claim(now), reviewAs(countersign).release(now)];
    expect(await outcomesOf(calls)).toEqual({ ILLEGAL_TRANSITION: 2 });
  });
});

it('a note is for reviewers only, and its event does not contain it', async () => {
  const given = await givenSubmitted();
  await reviewAs(countersign).note(seen(given), 'call them');
  const { verification, events } = await reviewAs(countersign).open(given.id);
  expect(verification.internalNotes).toMatchObject([{ text: 'call them', reviewerId: 'staff-1' }]);
  expect(verification.status).toBe('submitted');
  expect(events.at(-1)).toMatchObject({ type: 'verification.noted', data: {} });
  const details = await countersign.verifications.details(client.principal, given.id);
  expect(JSON.stringify(details)).not.toContain('call them');
});

it('requests with a subject’s session are counted by verification: 300 a minute', async () => {
  let last = await countersign.rateLimits.forSubject('a');
  expect(last).toMatchObject({ allowed: true, limit: 300, remaining: 299 });
  for (let count = 1; count < 301; count += 1) last = await countersign.rateLimits.forSubject('a');
  expect(last.allowed).toBe(false);
  expect((await countersign.rateLimits.forSubject('b')).allowed).toBe(true);
});

it('files that a subject sends are counted by verification, refused ones too: 40 in 5 minutes', async () => {
  const { rateLimits } = countersign;
  const decisions = [];
  for (let count = 1; count <= 41; count += 1) decisions.push((await rateLimits.forUpload('a')).allowed);
  expect(decisions.filter((allowed) => allowed)).toHaveLength(40);
  expect(decisions.at(-1)).toBe(false);
  expect((await rateLimits.forUpload('b')).allowed).toBe(true);
  expect((await rateLimits.forSubject('a')).remaining).toBe(299);
});
