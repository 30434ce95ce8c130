import { type Countersign, SUBJECT_TYPES, type SubjectType } from '@countersign/domain';
import { renewVerificationLink, withdrawVerification } from '@countersign/domain/actions';
import { currentFlow, type StepKey, stepsOf } from '@countersign/domain/flows';
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

async function givenVerification(type: SubjectType = 'kyc') {
  const body = { subjectType: type, subjectReference: 'user_1' };
  const { verification } = await countersign.verifications.create(client.principal, body);
  return verification;
}

const referenceOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
const details = (id: string) => countersign.verifications.details(client.principal, id);

async function openLink(id: string) {
  const { verificationUrl } = await countersign.verifications.get(client.principal, id);
  return (await countersign.subject.open(referenceOf(verificationUrl))).access;
}

async function givenSubmitted(type: SubjectType = 'kyc') {
  const { id } = await givenVerification(type);
  const access = await openLink(id);
  for (const step of stepsOf(currentFlow(type))) await answerStep(countersign, access, step);
  return { id, version: (await countersign.subject.submit(access)).version };
}

const seen = (verificationId: string, version: number) => ({ verificationId, version });

describe.each(SUBJECT_TYPES)('a %s from its link to the decision', (type) => {
  it('moves currentStep with each step and ends approved', async () => {
    const { id } = await givenVerification(type);
    const access = await openLink(id);
    for (const [index, step] of stepsOf(currentFlow(type)).entries()) {
      await answerStep(countersign, access, step);
      expect(await details(id)).toMatchObject({ currentStep: index + 1, status: 'pending' });
    }
    const { version } = await countersign.subject.submit(access);
    service.clock.advance(MINUTE);
    await reviewAs(countersign).approve(seen(id, version));

    const total = stepsOf(currentFlow(type)).length;
    const read = await details(id);
    expect(read).toMatchObject({
      status: 'approved',
      resolvedAt: service.clock.now(),
      currentStep: total,
      totalSteps: total,
      decision: { outcome: 'approved', reasonCodes: [] },
      actionNeeded: null,
    });
    expect(read.steps.every(({ status }) => status === 'completed')).toBe(true);
    expect(read.history.map(({ status, actor }) => `${status} by ${actor}`)).toEqual([
      'pending by client',
      'submitted by subject',
      'approved by reviewer',
    ]);
    expect(Object.keys(read.submittedData)).toEqual(stepsOf(currentFlow(type)));
  });
});

describe('a request for action', () => {
  const request = { items: [{ step: 'document', reasonCode: 'document_glare' as const, note: 'Too bright' }] };

  it('reopens the flagged step under the same link until the second submission', async () => {
    const { id, version } = await givenSubmitted();
    const { verificationUrl } = await details(id);
    await reviewAs(countersign).askForAction({ ...seen(id, version), internalNote: 'looks like a copy' }, request);

    const asked = await details(id);
    expect(asked).toMatchObject({
      status: 'action_needed',
      currentStep: 1,
      resolvedAt: null,
      actionNeeded: {
        message: null,
        items: [{ step: 'document', reasonCode: 'document_glare', note: 'Too bright' }],
      },
    });
    expect(asked.steps.find(({ key }) => key === 'document')?.status).toBe('action_needed');
    expect(JSON.stringify(asked)).not.toContain('looks like a copy');
    expect(asked.verificationUrl).toBe(verificationUrl);

    const access = await openLink(id);
    await expect(answerStep(countersign, access, 'selfie')).rejects.toThrow(withCode('STEP_OUT_OF_TURN'));
    await answerStep(countersign, access, 'document');
    await countersign.subject.submit(access);
    expect(await details(id)).toMatchObject({ status: 'submitted', currentStep: 6, actionNeeded: null });
  });

  it('prevents a second verification for the subject until the decision', async () => {
    const { id, version } = await givenSubmitted();
    await reviewAs(countersign).askForAction(seen(id, version), request);
    await expect(givenVerification()).rejects.toThrow(withCode('DUPLICATE_SUBJECT_REFERENCE'));
    await countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: id });
    expect(await details(id)).toMatchObject({ status: 'rejected', decision: { reasonCodes: ['withdrawn'] } });
    await expect(givenVerification()).resolves.toMatchObject({ status: 'pending' });
  });
});

describe('concurrent moves', () => {
  it('concurrent moves of two reviewers: one wins, the other gets VERSION_CONFLICT', async () => {
    const { storage, race } = givenRacingStorage();
    service = givenService({ storage });
    countersign = service.countersign;
    client = await givenClient(service);
    const { id, version } = await givenSubmitted();
    race(2);
    const decisions = [
      reviewAs(countersign).approve(seen(id, version)),
      reviewAs(countersign).reject(seen(id, version), { reasonCodes: ['data_mismatch'] }),
    ];
    expect(await outcomesOf(decisions)).toEqual({ ok: 1, VERSION_CONFLICT: 1 });
    expect((await details(id)).status).toBe('approved');
  });

  it('five concurrent withdrawals all succeed, and one is recorded', async () => {
    const { storage, race } = givenRacingStorage();
    countersign = givenService({ storage }).countersign;
    client = await givenClient({ countersign });
    const { id } = await givenVerification();
    race(5);
    const withdrawals = Array.from({ length: 5 }, () => countersign.verifications.withdraw(client.principal, id));
    expect(await outcomesOf(withdrawals)).toEqual({ ok: 5 });
    expect((await details(id)).history.map(({ status }) => status)).toEqual(['pending', 'rejected']);
  });

  it('a concurrent submission and withdrawal: one wins, the other gets ILLEGAL_TRANSITION', async () => {
    const { storage, race } = givenRacingStorage();
    countersign = givenService({ storage }).countersign;
    client = await givenClient({ countersign });
    const { id } = await givenVerification();
    const access = await openLink(id);
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
    race(2);
    const moves = [countersign.subject.submit(access), countersign.verifications.withdraw(client.principal, id)];
    expect(await outcomesOf(moves)).toEqual({ ok: 1, ILLEGAL_TRANSITION: 1 });
    const { history, status } = await details(id);
    expect(history).toHaveLength(2);
    expect(history.at(-1)?.status).toBe(status);
  });

  it('a decision on an older version is refused', async () => {
    const { id, version } = await givenSubmitted();
    await expect(reviewAs(countersign).approve(seen(id, version - 1))).rejects.toThrow(
      withCode('VERSION_CONFLICT'),
    );
    expect((await details(id)).status).toBe('submitted');
  });

  it('two devices of one subject both keep their answers', async () => {
    const { id } = await givenVerification();
    const access = await openLink(id);
    await answerStep(countersign, access, 'consent');
    const same = (step: StepKey) => answerStep(countersign, access, step);
    expect(await outcomesOf([same('document'), same('document'), same('consent')])).toEqual({ ok: 3 });
    expect((await details(id)).currentStep).toBe(2);
  });

  it('two concurrent submissions: one wins', async () => {
    const { id } = await givenVerification();
    const access = await openLink(id);
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
    const both = [countersign.subject.submit(access), countersign.subject.submit(access)];
    expect(await outcomesOf(both)).toEqual({ ok: 1, ILLEGAL_TRANSITION: 1 });
  });
});

describe('a link', () => {
  it('opens until it expires; the expiry changes no status', async () => {
    const { id, verificationUrl } = await givenVerification();
    const open = () => countersign.subject.open(referenceOf(verificationUrl));
    const { access } = await open();
    service.clock.advance(30 * 24 * 60 * MINUTE - 1);
    await expect(open()).resolves.toMatchObject({ verification: { status: 'pending' } });
    service.clock.advance(1);
    await expect(open()).rejects.toThrow(withCode('LINK_EXPIRED'));
    await expect(answerStep(countersign, access, 'consent')).rejects.toThrow(withCode('LINK_EXPIRED'));
    expect((await details(id)).status).toBe('pending');
  });

  it.each(['submitted', 'approved', 'rejected'] as const)(
    'a link that has expired still shows that the verification was %s, and changes nothing',
    async (status) => {
      const { id, version } = await givenSubmitted();
      if (status === 'approved') await reviewAs(countersign).approve(seen(id, version));
      const refusal = { reasonCodes: ['data_mismatch'] } as const;
      if (status === 'rejected') await reviewAs(countersign).reject(seen(id, version), refusal);
      service.clock.advance(30 * 24 * 60 * MINUTE);

      const access = await openLink(id);
      expect((await countersign.subject.read(access)).status).toBe(status);
      const expired = { LINK_EXPIRED: 1 };
      expect(await outcomesOf([countersign.subject.submit(access)])).toEqual(expired);
      expect(await outcomesOf([answerStep(countersign, access, 'consent')])).toEqual(expired);
      const part = { step: 'person', fields: ['firstName'], input: { firstName: 'Ada' } };
      expect(await outcomesOf([countersign.subject.saveDraft(access, part)])).toEqual(expired);
      expect(await outcomesOf([countersign.subject.linkOf(access)])).toEqual(expired);
    },
  );

  it('a link that has expired does not open steps that a reviewer asked for', async () => {
    const { id, version } = await givenSubmitted();
    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear' }] as const;
    await reviewAs(countersign).askForAction(seen(id, version), { items });
    const access = await openLink(id);
    service.clock.advance(30 * 24 * 60 * MINUTE);
    await expect(openLink(id)).rejects.toThrow(withCode('LINK_EXPIRED'));
    await expect(countersign.subject.read(access)).rejects.toThrow(withCode('LINK_EXPIRED'));
  });

  it('a link that is renewed ends the previous link and its sessions', async () => {
    const { id, verificationUrl } = await givenVerification();
    const access = await openLink(id);
    const { run } = countersign.as({ kind: 'command_line' });
    const renewed = await run(renewVerificationLink, { verificationId: id });
    await expect(countersign.subject.open(referenceOf(verificationUrl))).rejects.toThrow(withCode('LINK_INVALID'));
    await expect(countersign.subject.submit(access)).rejects.toThrow(withCode('LINK_INVALID'));
    await expect(countersign.subject.open(referenceOf(renewed.verificationUrl))).resolves.toBeDefined();
  });

  it('a link to a verification that does not exist gives no access', async () => {
    const access = { verificationId: '00000000-0000-7000-8000-00000000ffff', linkVersion: 1 };
    await expect(countersign.subject.read(access)).rejects.toThrow(withCode('LINK_INVALID'));
  });

  it.each(['', 'x', 'x.y', '00000000-0000-7000-8000-00000000ffff.token'])(
    'a link with the reference %j is not valid',
    async (text) => {
      await expect(countersign.subject.open(text)).rejects.toThrow(withCode('LINK_INVALID'));
    },
  );
});
