import type { Countersign, SubjectAccess } from '@countersign/domain';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { MAX_EVENTS } from '@countersign/domain/storage';
import { answerStep } from '@countersign/test-support/service/answers';
import { operationsOf, reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

let service: Service;
let countersign: Countersign;
let client: Awaited<ReturnType<typeof givenClient>>;
let id: string;

beforeEach(async () => {
  service = givenService();
  countersign = service.countersign;
  client = await givenClient(service);
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };
  id = (await countersign.verifications.create(client.principal, body)).verification.id;
});

async function openLink(): Promise<SubjectAccess> {
  const { verificationUrl } = await countersign.verifications.get(client.principal, id);
  return (await countersign.subject.open(verificationUrl.split('/').at(-1) as string)).access;
}

async function stored() {
  const found = await service.storage.verifications.findWithEventsForAnyClient(id, 100);
  return { record: found?.record, events: found?.events ?? [] };
}

const GOOD_PERSON = {
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-10',
  placeOfBirth: { city: 'London', country: 'GB' },
  nationalities: ['GB'],
};

/** Completes the consent with one of many versions of its text. */
const consentTo = (access: SubjectAccess, n: number) =>
  countersign.subject.completeStep(access, 'consent', { accepted: true, version: `2026-${n}`, locale: 'en' });

/** Reviews as far as a request to answer the person again. */
async function askForPerson(): Promise<void> {
  const access = await openLink();
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
  const { version } = await countersign.subject.submit(access);
  const items = [{ step: 'person', reasonCode: 'data_mismatch' as const }];
  await reviewAs(countersign).askForAction({ verificationId: id, version }, { items });
}

const consentAgain = (access: SubjectAccess) => answerStep(countersign, access, 'consent');

// Each "Continue" on a revisited page once wrote an event, and later a webhook.
describe('answers equal to the current ones', () => {
  it('sent again, a hundred times and at once, change neither record nor events', async () => {
    const access = await openLink();
    await consentAgain(access);
    const before = await stored();
    service.clock.advance(60_000);
    for (let n = 0; n < 50; n += 1) await consentAgain(access);
    await Promise.all(Array.from({ length: 50 }, () => consentAgain(access)));
    expect(await stored()).toEqual(before);
  });

  it('sent by many at once for the first time write one event', async () => {
    const access = await openLink();
    await Promise.all(Array.from({ length: 5 }, () => consentAgain(access)));
    const { events, record } = await stored();
    expect(events.map(({ type }) => type)).toEqual(['verification.created', 'verification.step_completed']);
    expect(record?.version).toBe(2);
  });

  it('sent again end a draft without an event', async () => {
    const access = await openLink();
    await consentAgain(access);
    await countersign.subject.saveDraft(access, {
      step: 'consent',
      fields: ['version'],
      input: { version: '2026-02' },
    });
    const { events } = await stored();
    await consentAgain(access);
    expect((await countersign.subject.read(access)).drafts).toEqual({});
    expect((await stored()).events).toEqual(events);
  });

  it('answers that a reviewer asked for count as redone when equal ones are sent again', async () => {
    await askForPerson();

    const renewed = await openLink();
    await answerStep(countersign, renewed, 'person');
    expect((await stored()).events.at(-1)).toMatchObject({ type: 'verification.step_completed' });
    const redone = await stored();
    await answerStep(countersign, renewed, 'person');
    expect(await stored()).toEqual(redone);
    await expect(countersign.subject.submit(renewed)).resolves.toMatchObject({ status: 'submitted' });
  });
});

// 290 of 290 repeated answers were each kept as an event, and 100,000 events made each read take two seconds.
describe('answers that differ from the current ones', () => {
  it('sent again and again keep one event, the last', async () => {
    const access = await openLink();
    for (let n = 1; n <= 60; n += 1) await consentTo(access, n);
    await Promise.all([61, 62, 63].map((n) => consentTo(access, n)));

    const { events, record } = await stored();
    expect(record).toMatchObject({ version: 64, eventCount: 2 });
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['verification.created', 1],
      ['verification.step_completed', 64],
    ]);
  });

  it('changed answers to one step leave the events of other steps', async () => {
    const access = await openLink();
    for (const step of ['consent', 'document', 'person'] as const) await answerStep(countersign, access, step);
    for (const n of [1, 2]) await consentTo(access, n);

    const { events } = await stored();
    const steps = events.filter(({ type }) => type === 'verification.step_completed').map(({ data }) => data.step);
    expect(steps).toEqual(['document', 'person', 'consent']);
  });

  it('changed answers after a request replace their event, and keep the one that the reviewer saw', async () => {
    await askForPerson();
    const { events: before } = await stored();
    const access = await openLink();
    for (const firstName of ['Ada', 'Bea', 'Cleo']) {
      await countersign.subject.completeStep(access, 'person', { ...GOOD_PERSON, firstName });
    }

    const { events, record } = await stored();
    expect(events.slice(0, -1)).toEqual(before);
    expect(events.at(-1)).toMatchObject({ version: record?.version, data: { step: 'person' } });
    expect(record?.eventCount).toBe(events.length);
  });
});

describe('a verification at its limit of events', () => {
  /** Claims and releases until no further claim is possible. */
  async function claimUntilRefused(): Promise<{ version: number; refusal: unknown }> {
    const review = reviewAs(countersign);
    let version = (await stored()).record?.version ?? 0;
    while (true) {
      try {
        ({ version } = await review.claim({ verificationId: id, version }));
      } catch (refusal) {
        return { version, refusal };
      }
      ({ version } = await review.release({ verificationId: id, version }));
    }
  }

  it('refuses further claims and notes, and can be sent back, redone, submitted and approved', async () => {
    const access = await openLink();
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
    await countersign.subject.submit(access);

    const { version, refusal } = await claimUntilRefused();
    expect(refusal).toMatchObject({ code: 'EVENT_LIMIT_REACHED' });
    const review = reviewAs(countersign);
    const seen = { verificationId: id, version };
    await expect(review.note(seen, 'One more')).rejects.toMatchObject({ code: 'EVENT_LIMIT_REACHED' });

    await review.askForAction(seen, { items: [{ step: 'person', reasonCode: 'data_mismatch' }] });
    await answerStep(countersign, access, 'person');
    const submitted = await countersign.subject.submit(access);
    const approved = await review.approve({ verificationId: id, version: submitted.version });
    expect(approved.status).toBe('approved');
    const { history } = await countersign.verifications.details(client.principal, id);
    expect(history).toHaveLength(5);
  });

  it('refuses further links, and can be withdrawn', async () => {
    const operations = operationsOf(countersign.as({ kind: 'command_line' }));
    const renewAll = async () => {
      for (let n = 0; n <= MAX_EVENTS; n += 1) {
        // A link is renewed five times a day at most.
        service.clock.advance(5 * 60 * 60 * 1_000);
        await operations.verifications.renewLink(id);
      }
    };
    await expect(renewAll()).rejects.toMatchObject({ code: 'EVENT_LIMIT_REACHED' });
    const withdrawn = await operations.verifications.withdraw(id);
    expect(withdrawn.status).toBe('rejected');
  });
});
