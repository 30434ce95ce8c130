import type { As, AuditEntry, Countersign, CreatedVerification } from '@countersign/domain';
import {
  approveVerification,
  askForAction,
  changeSubscription,
  listAudit,
  rejectVerification,
  renewVerificationLink,
  setReturnAddresses,
  withdrawVerification,
} from '@countersign/domain/actions';
import { currentStepOf } from '@countersign/domain/flows';
import type { User } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { isLeftOut } from '../left-out.ts';
import { atOnce, range, refusalOf } from '../records/at-once.ts';
import { anAuditQuery, headAt } from '../records/audit.ts';
import { aClient, givenClient, givenClients } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { clientId, serviceId } from '../records/ids.ts';
import { principalOf, serviceOver } from '../records/service.ts';
import { completeAll, openLink, takeStep, takeTwoSteps } from '../records/subject.ts';
import { wholeOf } from '../records/verifications.ts';
import { fanOut, givenEndpoint, logOf } from '../records/webhooks.ts';
import { type Suite, suiteGiven, suiteOf } from '../suite.ts';

const internalNote = 'Looks “fine” to me';

/** Runs the domain on the storage; every state is read back unchanged. */
export const journeysSuite: Suite = suiteGiven('journeys', givenRequest, {
  'journey: completed, asked for action, completed by a renewed link and approved': async (
    _,
    { countersign, created, verificationId },
  ) => {
    const { run } = reviewing(countersign);
    const { access, verification: pending } = await openLink(countersign, created);
    expect(pending).toMatchObject({ status: 'pending', version: 1 });

    const submitted = await completeAll(countersign, access);
    expect((await openLink(countersign, created)).verification).toEqual(submitted);
    expect(submitted.status).toBe('submitted');

    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear', note: 'Näher, bitte' }] as const;
    const seen = { verificationId, version: submitted.version, internalNote };
    const asked = await run(askForAction, { ...seen, items, message: 'One thing' });
    expect((await openLink(countersign, created)).verification).toEqual(asked);
    expect(asked.status).toBe('action_needed');

    await countersign.as({ kind: 'command_line' }).run(renewVerificationLink, { verificationId });
    expect(await refusalOf(openLink(countersign, created))).toMatchObject({ code: 'LINK_INVALID' });
    const renewed = await openLink(countersign, await viewed(countersign, verificationId));
    expect(renewed.verification.status).toBe('action_needed');

    const redone = await takeStep(countersign, renewed.access, 'selfie');
    expect((await openLink(countersign, await viewed(countersign, verificationId))).verification).toEqual(redone);
    expectCount(redone.earlierAnswers, 1);

    const again = await countersign.subject.submit(renewed.access);
    const approved = await run(approveVerification, { ...seen, version: again.version });
    expect((await openLink(countersign, await viewed(countersign, verificationId))).verification).toEqual(
      approved,
    );
    expect(await countersign.verifications.details(me, verificationId)).toMatchObject({
      status: 'approved',
      resolvedAt: approved.status === 'approved' ? approved.resolvedAt : undefined,
      decision: { outcome: 'approved' },
      history: ['pending', 'submitted', 'action_needed', 'submitted', 'approved'].map((status) => ({ status })),
    });
  },

  'journey: two steps completed together have two events in their order, before the webhook of the submission; currentStep goes from 1 to 3':
    async (storage, { countersign, created, verificationId }) => {
      const { access } = await openLink(countersign, created);
      const before = await takeStep(countersign, access, 'consent');
      const endpoint = isLeftOut(storage.webhooks) ? null : await givenEndpoint(storage);

      const after = await takeTwoSteps(countersign, access);

      const { version } = before;
      expect([before, after].map(currentStepOf)).toEqual([1, 3]);
      expect((await storage.verifications.findForAnyClient(verificationId))?.currentStep).toBe(3);
      expect(after.version).toBe(version + 3);
      const events = (await wholeOf(storage, verificationId))?.events ?? [];
      expect(events.slice(-2).map((event) => [event.version, event.type, event.data])).toEqual([
        [version + 2, 'verification.step_completed', { step: 'document' }],
        [version + 3, 'verification.step_completed', { step: 'person' }],
      ]);
      for (const step of ['selfie', 'address', 'attestation']) await takeStep(countersign, access, step);
      const submitted = await countersign.subject.submit(access);
      if (endpoint === null) return;
      await fanOut(storage);
      expect((await logOf(storage, endpoint)).map((delivery) => [delivery.type, delivery.version])).toEqual([
        ['verification.submitted', submitted.version],
        ['verification.created', 1],
      ]);
    },

  'journey: submitted and rejected': async (_, { countersign, created, verificationId }) => {
    const { access } = await openLink(countersign, created);
    const submitted = await completeAll(countersign, access);

    const rejected = await reviewing(countersign).run(rejectVerification, {
      verificationId,
      version: submitted.version,
      internalNote,
      reasonCodes: ['document_expired', 'other'],
      message: 'See “terms” §7',
    });

    expect((await openLink(countersign, created)).verification).toEqual(rejected);
    expect(rejected.status).toBe('rejected');
    const { history } = await countersign.verifications.details(me, verificationId);
    expect(history.map(({ status }) => status)).toEqual(['pending', 'submitted', 'rejected']);
  },

  'journey: withdrawn while pending, then the subject is requested again': async (
    _,
    { countersign, verificationId },
  ) => {
    const withdrawn = await countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId });

    expect(await countersign.verifications.get(me, verificationId)).toEqual(withdrawn);
    expect(withdrawn).toMatchObject({ status: 'rejected', resolvedAt: expect.any(Date) as Date });
    const second = await countersign.verifications.create(me, REQUEST);
    expect(second.verification).toMatchObject({ status: 'pending' });
  },

  'journey: a replay gets the same answer, and another request with the key is refused': async (
    _,
    { countersign },
  ) => {
    const options = { idempotencyKey: 'order 66' };
    const request = { ...REQUEST, subjectReference: 'other' };

    const first = await countersign.verifications.create(me, request, options);
    const again = await countersign.verifications.create(me, request, options);

    expect(again).toEqual({ ...first, replayed: true });
    const another = countersign.verifications.create(me, REQUEST, options);
    expect(await refusalOf(another)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const duplicate = countersign.verifications.create(me, request);
    expect(await refusalOf(duplicate)).toMatchObject({ code: 'DUPLICATE_SUBJECT_REFERENCE' });
    expect((await countersign.clients.usage(clientId(1))).used).toBe(2);
  },

  'journey: of two reviewers who decide at once, the second gets a conflict': async (
    _,
    { countersign, created, verificationId },
  ) => {
    const { version } = await completeAll(countersign, (await openLink(countersign, created)).access);
    const { run } = reviewing(countersign);
    const seen = { verificationId, version, internalNote };

    const decisions = await Promise.allSettled([
      run(approveVerification, seen),
      run(rejectVerification, { ...seen, reasonCodes: ['data_mismatch'] }),
    ]);

    const won = decisions.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expectCount(won, 1);
    expect(decisions.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'VERSION_CONFLICT' },
    });
    expect((await openLink(countersign, created)).verification).toEqual(won[0]);
  },
});

const SUBSCRIPTION = { plan: 'standard', status: 'active', monthlyLimit: null, endsAt: null } as const;
const me = principalOf({ ...SUBSCRIPTION, startsAt: new Date(0) });
const REQUEST = { subjectType: 'kyc', subjectReference: 'subject', metadata: { order: [1, { two: '😀' }] } };

async function givenRequest(
  storage: Storage,
): Promise<{ countersign: Countersign; created: CreatedVerification; verificationId: string }> {
  await givenClient(storage);
  const countersign = serviceOver(storage);
  const { verification } = await countersign.verifications.create(me, REQUEST);
  return { countersign, created: verification, verificationId: verification.id };
}

/** The actions of a signed-in reviewer. */
function reviewing(countersign: Countersign): As {
  const user: User = {
    id: serviceId(0),
    email: 'reviewer@example.com',
    name: 'Reviewer',
    role: 'reviewer',
    clientId: null,
    teamRole: null,
  };
  const session = { user, signedInAt: new Date(0), withSecondFactor: true, confirmedAt: null };
  return countersign.as({ kind: 'user', session, from: '192.0.2.1' });
}

function viewed(countersign: Countersign, verificationId: string): Promise<CreatedVerification> {
  return countersign.verifications.get(me, verificationId);
}

/** The domain writes the audit log and checks its chain of hashes. */
export const recordedActionsSuite: Suite = suiteOf('recorded actions', {
  'audit: allowed and refused actions make an unbroken chain': async (storage) => {
    await givenClients(storage, [1, 1]);
    const countersign = serviceOver(storage);
    const { run, recordRefusal } = countersign.as({ kind: 'command_line' });

    await recordRefusal({ action: 'page.request', detail: { path: null } });
    await run(setReturnAddresses, { clientId: clientId(1), returnAddresses: [] });
    await run(changeSubscription, { clientId: clientId(1), plan: 'enterprise', planLimit: true });
    for (const unknown of [clientId(2), 'not-an-id', '\u0000', '🦉']) {
      await expect(run(setReturnAddresses, { clientId: unknown, returnAddresses: [] })).rejects.toMatchObject({
        code: 'CLIENT_NOT_FOUND',
      });
    }

    const refused = await run(listAudit, { action: 'clients.set_return_addresses', outcome: 'refused' });
    expectCount(refused.entries, 4);
    const { entries } = await run(listAudit, {});
    expect(await countersign.verifyAudit()).toMatchObject({ outcome: 'intact', entries: entries.length });
    const noted = (await storage.audit.head()) ?? headAt(0);
    expect(await countersign.verifyAudit({ noted })).toMatchObject({ outcome: 'intact', head: noted });
  },

  'audit: actions of several instances at once make one unbroken chain': async (storage) => {
    await givenClients(storage, [1, 4]);
    const callers: As[] = range(1, 4).map(() => serviceOver(storage).as({ kind: 'command_line' }));

    await atOnce(4, async (instance) => {
      for (const returnAddresses of [ADDRESSES, [], ADDRESSES]) {
        await callers[instance]?.run(setReturnAddresses, { clientId: clientId(instance + 1), returnAddresses });
      }
    });

    expect((await storage.clients.list()).map(({ client }) => client)).toEqual(
      range(1, 4).map((n) => aClient(n, { returnAddresses: ADDRESSES })),
    );
    for (const n of range(1, 4)) expectCount(await changesOf(storage, n), 3);
    const findings = await serviceOver(storage).verifyAudit();
    expect(findings).toMatchObject({ outcome: 'intact', head: await storage.audit.head() });
  },
});

const ADDRESSES = ['https://shop.example/kyc'];

async function changesOf({ audit }: Storage, n: number): Promise<readonly AuditEntry[]> {
  return audit.list(
    anAuditQuery({ clientId: clientId(n), action: 'clients.set_return_addresses', outcome: 'allowed' }),
  );
}
