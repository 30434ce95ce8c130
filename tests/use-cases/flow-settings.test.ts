import type { Principal, SubjectType } from '@countersign/domain';
import {
  changeFlowSettings,
  createVerification,
  getClientFlowSettings,
  getOwnFlowSettings,
  renewVerificationLink,
  setClientFlowSettings,
} from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { User } from '@countersign/domain/staff';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { givenTeam, linesOf, signedIn, type Team } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const DAY_MS = 24 * 60 * 60 * 1000;
const OFF = {
  placeOfBirth: false,
  proofOfAddress: false,
  readingIsAdvice: false,
  familyNameIndex: false,
  warningsInDetails: false,
};
const withCode = (code: string) => expect.objectContaining({ code }) as Error;

let service: Service;
let team: Team;
let twinId: string;

beforeEach(async () => {
  service = givenService();
  team = await givenTeam(service);
  twinId = (await service.countersign.clients.testTwin(team.clientId)).id;
});

const asUser = (user: User, mode: 'live' | 'test' = 'live') => {
  const caller = signedIn(service, user);
  if (caller.kind !== 'user') throw new Error('not signed in');
  return service.countersign.as({ ...caller, mode });
};
const commandLine = () => service.countersign.as({ kind: 'command_line' });

async function principalOf(clientId: string): Promise<Principal> {
  const { value } = await service.countersign.apiKeys.issue(clientId, { permissions: ['*'] });
  return service.countersign.authenticate(value, { countRequest: false });
}

let subjects = 0;
async function create(clientId: string, more: { type?: SubjectType; metadata?: object } = {}) {
  const { type: subjectType = 'kyc', ...others } = more;
  subjects += 1;
  const body = { subjectType, subjectReference: `user_${subjects}`, ...others };
  return (await service.countersign.verifications.create(await principalOf(clientId), body)).verification;
}

const recordOf = async (id: string) => {
  const record = await service.storage.verifications.findForAnyClient(id);
  if (record === null) throw new Error('no record');
  return record;
};

/** Days that the link of a verification still works. */
const linkDaysOf = async (id: string) =>
  ((await recordOf(id)).linkExpiresAt.getTime() - service.clock.now().getTime()) / DAY_MS;

describe('the flow settings of a client', () => {
  it('an owner changes those of the own client, and the audit log keeps them', async () => {
    const other = await givenTeam(service, 'Globex');
    const { run } = asUser(team.owner);
    const settings = {
      ...OFF,
      proofOfAddress: true,
      minimumAge: 21,
      linkDays: 7,
      decisionWithin: 'hours',
      dueHours: 24,
    } as const;

    await run(changeFlowSettings, settings);

    expect((await run(getOwnFlowSettings, {})).settings).toEqual(settings);
    expect((await asUser(other.owner).run(getOwnFlowSettings, {})).settings).toMatchObject({ minimumAge: null });
    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'flow.change',
      outcome: 'allowed',
      clientId: team.clientId,
      detail: settings,
    });

    await run(changeFlowSettings, OFF);
    const none = { minimumAge: null, linkDays: null, decisionWithin: null, dueHours: null };
    expect((await run(getOwnFlowSettings, {})).settings).toEqual({ ...OFF, ...none });
  });

  it('the command line reads and changes those of any client', async () => {
    const { run } = commandLine();
    const settings = { ...OFF, placeOfBirth: true, linkDays: 14 };

    await run(setClientFlowSettings, { clientId: team.clientId, ...settings });

    expect((await run(getClientFlowSettings, { clientId: team.clientId })).settings).toMatchObject(settings);
    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'clients.set_flow',
      clientId: team.clientId,
      targetId: team.clientId,
      detail: settings,
    });
    await expect(run(setClientFlowSettings, { clientId: 'nobody', ...OFF })).rejects.toThrow(
      withCode('CLIENT_NOT_FOUND'),
    );
  });

  it('bad settings are refused, change nothing, and are not in the audit log', async () => {
    const { runUnchecked, run } = asUser(team.owner);
    await run(changeFlowSettings, { ...OFF, linkDays: 7 });
    for (const [bad, path] of [
      [{ ...OFF, minimumAge: 17 }, 'minimumAge'],
      [{ ...OFF, minimumAge: 101 }, 'minimumAge'],
      [{ ...OFF, linkDays: 0 }, 'linkDays'],
      [{ ...OFF, linkDays: 'secret' }, 'linkDays'],
      [{ ...OFF, dueHours: 'secret' }, 'dueHours'],
      [{ ...OFF, decisionWithin: 'secret' }, 'decisionWithin'],
      [{ ...OFF, secret: 'secret' }, 'secret'],
      [
        { placeOfBirth: true, readingIsAdvice: false, familyNameIndex: false, warningsInDetails: false },
        'proofOfAddress',
      ],
    ] as const) {
      await expect(runUnchecked(changeFlowSettings, bad)).rejects.toMatchObject({
        code: 'INVALID_PARAMETERS',
        data: { issues: [expect.objectContaining({ path })] },
      });
    }
    expect((await run(getOwnFlowSettings, {})).settings).toMatchObject({ minimumAge: null, linkDays: 7 });
    expect(JSON.stringify(await linesOf(service))).not.toContain('secret');
  });

  it('a team in test mode reads and changes none: its settings are those of live mode', async () => {
    const test = asUser(team.owner, 'test');
    expect([test.may(getOwnFlowSettings), test.may(changeFlowSettings)]).toEqual(['no', 'no']);
    await expect(test.run(changeFlowSettings, OFF)).rejects.toThrow(withCode('NOT_ALLOWED'));
    await expect(commandLine().run(setClientFlowSettings, { clientId: twinId, ...OFF })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringContaining(team.clientId),
    });
    await asUser(team.owner).run(changeFlowSettings, { ...OFF, minimumAge: 21 });
    expect(await service.countersign.flowSettings.get(twinId)).toMatchObject({ rules: { minimumAge: 21 } });
  });
});

it('a change of the index of family names makes new keys for the client and its test twin', async () => {
  const { countersign, storage } = service;
  const clientIds = [team.clientId, twinId];
  for (const clientId of clientIds)
    await storage.indexes.addKey({ clientId, version: 1, value: '', wrappedBy: null });
  await countersign.flowSettings.change(team.clientId, { ...OFF, familyNameIndex: true });
  // One before the change and one after it.
  for (const clientId of clientIds) expect(await storage.indexes.keys(clientId)).toMatchObject([{ version: 3 }]);
});

describe('the life of a link', () => {
  it('a link of a new verification works as long as its client has set, in both modes', async () => {
    const { run } = asUser(team.owner);
    await run(changeFlowSettings, { ...OFF, linkDays: 7 });
    for (const clientId of [team.clientId, twinId]) {
      expect(await linkDaysOf((await create(clientId)).id)).toBe(7);
    }
    const inDashboard = { subjectType: 'kyc', subjectReference: 'in the dashboard' } as const;
    for (const mode of ['live', 'test'] as const) {
      const { id } = await asUser(team.owner, mode).run(createVerification, {
        ...inDashboard,
        idempotencyKey: `form ${mode}`,
      });
      expect(await linkDaysOf(id)).toBe(7);
    }
  });

  it('a link lasts as long as the installation says without a setting, and an issued link keeps its end', async () => {
    const { id } = await create(team.clientId);
    expect(await linkDaysOf(id)).toBe(30);
    await asUser(team.owner).run(changeFlowSettings, { ...OFF, linkDays: 7 });
    expect(await linkDaysOf(id)).toBe(30);
  });

  it('a renewed link and one that a request for action extends last as long as the client has set', async () => {
    for (const clientId of [team.clientId, twinId]) {
      await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF });
      const { id, verificationUrl } = await create(clientId);
      await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF, linkDays: 60 });
      service.clock.advance(DAY_MS);
      await commandLine().run(renewVerificationLink, { verificationId: id });
      expect(await linkDaysOf(id)).toBe(60);

      const submitted = await create(clientId);
      expect(verificationUrl).not.toBe(submitted.verificationUrl);
      await submit(submitted, 'kyc');
      await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF, linkDays: 3 });
      const { version } = await recordOf(submitted.id);
      await reviewAs(service.countersign).askForAction(
        { verificationId: submitted.id, version },
        { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] },
      );
      expect(await linkDaysOf(submitted.id)).toBe(3);
    }
  });

  it('a verification expires 30 days after the end of its own link, also a short one', async () => {
    await asUser(team.owner).run(changeFlowSettings, { ...OFF, linkDays: 1 });
    const { id } = await create(team.clientId);
    service.clock.advance(31 * DAY_MS - 1);
    expect(await service.countersign.expiry.expire()).toMatchObject({ expired: 0 });
    service.clock.advance(60 * 60 * 1000);
    expect(await service.countersign.expiry.expire()).toMatchObject({ expired: 1 });
    expect((await recordOf(id)).status).toBe('rejected');
  });
});

const access = async ({ verificationUrl }: { verificationUrl: string }) =>
  (await service.countersign.subject.open(verificationUrl.slice(verificationUrl.lastIndexOf('/') + 1))).access;

async function submit(verification: { id: string; verificationUrl: string }, type: SubjectType): Promise<void> {
  const reached = await access(verification);
  for (const step of stepsOf(currentFlow(type))) await answerStep(service.countersign, reached, step);
  await service.countersign.subject.submit(reached);
}

describe('the minimum age', () => {
  const born = (dateOfBirth: string) => ({
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth,
    placeOfBirth: { city: 'London', country: 'GB' },
    nationalities: ['GB'],
  });
  /** 20 years old. */
  const YOUNG = born('2006-01-31');

  it('a person under the minimum age of the client is refused from the next page on, in both modes', async () => {
    const { subject } = service.countersign;
    for (const clientId of [team.clientId, twinId]) {
      await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF });
      const reached = await access(await create(clientId));
      for (const step of ['consent', 'document'] as const) await answerStep(service.countersign, reached, step);
      await subject.completeStep(reached, 'person', YOUNG);

      await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF, minimumAge: 21 });

      const refused = {
        code: 'INVALID_PARAMETERS',
        data: { issues: [{ path: 'dateOfBirth', code: 'too_young', limit: 21 }] },
      };
      const fields = ['dateOfBirth'];
      const draft = { step: 'person', fields, input: { dateOfBirth: YOUNG.dateOfBirth } };
      await expect(subject.completeStep(reached, 'person', YOUNG)).rejects.toMatchObject(refused);
      await expect(subject.saveDraft(reached, draft)).rejects.toMatchObject(refused);
      const { version } = await subject.read(reached);
      await subject.completeStep(reached, 'person', born('2005-01-31'));
      expect((await subject.read(reached)).version).toBe(version + 1);
    }
  });

  it('the sandbox gives people the age that the client requires', async () => {
    await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF, minimumAge: 100 });
    const { id } = await create(twinId, { metadata: { sandboxOutcome: 'approved' } });
    while ((await service.countersign.sandbox.drive()).driven > 0);
    expect((await recordOf(id)).status).toBe('approved');
    expect(service.faults).toEqual([]);
  });

  it('a reviewer is warned of a person under the minimum age that the client has now', async () => {
    const verification = await create(team.clientId);
    await submit(verification, 'kyc');
    const codes = async () =>
      (await reviewAs(service.countersign).open(verification.id)).warnings.map(({ code }) => code);
    expect(await codes()).not.toContain('under_age');
    await commandLine().run(setClientFlowSettings, { clientId: team.clientId, ...OFF, minimumAge: 50 });
    expect(await codes()).toContain('under_age');
  });
});
