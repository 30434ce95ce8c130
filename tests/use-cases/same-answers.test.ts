import { type Countersign, currentFlow, type SubjectAccess, stepsOf } from '@countersign/domain';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
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
  const found = await service.storage.verifications.findWithEvents(client.clientId, id);
  return { record: found?.record, events: found?.events ?? [] };
}

const consentAgain = (access: SubjectAccess) => answerStep(countersign, access, 'kyc', 'consent');

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

  it('that a reviewer asked for count as redone when they are sent again', async () => {
    const access = await openLink();
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, 'kyc', step);
    const { version } = await countersign.subject.submit(access);
    const items = [{ step: 'person', reasonCode: 'data_mismatch' as const }];
    await reviewAs(countersign).askForAction({ verificationId: id, version }, { items });

    const renewed = await openLink();
    await answerStep(countersign, renewed, 'kyc', 'person');
    expect((await stored()).events.at(-1)).toMatchObject({ type: 'verification.step_completed' });
    const redone = await stored();
    await answerStep(countersign, renewed, 'kyc', 'person');
    expect(await stored()).toEqual(redone);
    await expect(countersign.subject.submit(renewed)).resolves.toMatchObject({ status: 'submitted' });
  });
});
