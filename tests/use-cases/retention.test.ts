import type { As, Principal } from '@countersign/domain';
import {
  type Action,
  type ActionEntry,
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  openRestrictedData,
  readOwnRetentionPolicy,
  readOwnRetentionReport,
  readRetentionPolicy,
  readRetentionReport,
  readVerification,
  releaseVerificationHold,
  setRetentionPolicy,
} from '@countersign/domain/actions';
import { stepsOf } from '@countersign/domain/flows';
import { DEFAULT_RETENTION, hashOfNothing, type RetentionReport } from '@countersign/domain/retention';
import { createCountingSecrets } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { auditSummary, givenTeam, linesOf, signedIn, type Team } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const UNKNOWN = '00000000-0000-7000-8000-00000000ffff';
const SECRET_REASON = 'an order of the court of Ghent';
const DAY_MS = 24 * 60 * 60 * 1000;
const ERASED = { state: 'erased', until: null };
/** Ten years after the approval, by days in UTC. */
const LONGEST = new Date('2036-03-02T00:00:00Z');
const withCode = (code: string) => expect.objectContaining({ code });

let service: Service;
let team: Team;
let principal: Principal;
let keyId: string;

beforeEach(async () => {
  service = givenService();
  team = await givenTeam(service);
  const { key, value } = await service.countersign.apiKeys.issue(team.clientId, { permissions: ['*'] });
  keyId = key.id;
  principal = await service.countersign.authenticate(value, { countRequest: false });
});

const owner = (): As => service.countersign.as(signedIn(service, team.owner));
const agent = (): As => service.countersign.as(signedIn(service, team.agent));
const operator = (): As => service.countersign.as({ kind: 'command_line' });

async function givenPending(subjectReference = 'user_1'): Promise<{ id: string; verificationUrl: string }> {
  const input = { subjectType: 'kyc', subjectReference };
  return (await service.countersign.verifications.create(principal, input)).verification;
}

async function givenWithdrawn(): Promise<string> {
  const { id } = await givenPending();
  await service.countersign.verifications.withdraw(principal, id);
  return id;
}

async function givenApproved(): Promise<string> {
  const { id, verificationUrl } = await givenPending();
  const { subject } = service.countersign;
  const { access, verification } = await subject.open(verificationUrl.split('/').at(-1) ?? '');
  for (const step of stepsOf(verification.flow)) await answerStep(service.countersign, access, step);
  const { version } = await subject.submit(access);
  await reviewAs(service.countersign).approve({ verificationId: id, version });
  return id;
}

describe('a pause after a jump of the clock', () => {
  it('moves the end of data that is due to its own end, for API keys, teams and reviewers', async () => {
    const ended = '2026-03-01T09:00:00.000Z';
    const ids = { withdrawn: await givenWithdrawn(), approved: await givenApproved() };
    await service.countersign.retention.run();
    service.clock.advance(91 * DAY_MS);
    const pausedUntil = new Date(service.clock.now().getTime() + DAY_MS);
    const untilOf = async (id: string) =>
      (await service.countersign.verifications.details(principal, id)).data.until;

    for (const _ of ['before the job has found the jump', 'afterwards']) {
      expect(await untilOf(ids.withdrawn)).toEqual(pausedUntil);
      expect(await untilOf(ids.approved)).toEqual(LONGEST);
      await service.countersign.retention.run();
    }
    const opened = await owner().run(readVerification, { verificationId: ids.withdrawn });
    expect(opened.retention.data.until).toEqual(pausedUntil);
    const reviewed = await reviewAs(service.countersign).open(ids.withdrawn);
    expect(reviewed.retention.data.until).toEqual(pausedUntil);
    expect((await owner().run(releaseVerificationHold, { verificationId: ids.withdrawn })).until).toEqual(
      pausedUntil,
    );
    expect(await service.countersign.verifications.eraseData(principal, ids.withdrawn)).toEqual({
      state: 'restricted',
      until: pausedUntil,
    });

    service.clock.advance(3_600 * DAY_MS);
    const later = new Date(service.clock.now().getTime() + DAY_MS);
    const relationship = { verificationId: ids.approved, endedAt: ended };
    expect((await owner().run(endVerificationRelationship, relationship)).until).toEqual(later);
  });

  it('a pause after a jump of the clock does not move the end of a hold', async () => {
    const verificationId = await givenWithdrawn();
    await service.countersign.retention.run();
    service.clock.advance(91 * DAY_MS);
    const until = new Date(service.clock.now().getTime() + 1_000).toISOString();
    const held = await owner().run(holdVerification, { verificationId, reason: SECRET_REASON, until });
    expect(held).toEqual({ state: 'held', until: new Date(until) });
  });
});

describe('a hold', () => {
  it('beats an erasure on request, also one that was due, until it is released', async () => {
    const verificationId = await givenWithdrawn();
    expect(await owner().run(holdVerification, { verificationId, reason: SECRET_REASON })).toEqual({
      state: 'held',
      until: null,
    });
    expect(await owner().run(eraseVerificationData, { verificationId })).toEqual({ state: 'held', until: null });
    service.clock.advance(365 * DAY_MS);
    await service.countersign.retention.run();
    expect((await service.countersign.verifications.details(principal, verificationId)).data.state).toBe('held');

    expect((await owner().run(releaseVerificationHold, { verificationId })).state).toBe('restricted');
    expect(await operator().run(eraseVerificationData, { verificationId })).toEqual(ERASED);
  });

  it('a hold is recorded with its end, and its reason is neither in the audit log nor shown to an agent or a key', async () => {
    const verificationId = await givenApproved();
    const until = '2027-01-01T00:00:00.000Z';
    await owner().run(holdVerification, { verificationId, reason: SECRET_REASON, until });
    expect(await linesOf(service)).toContainEqual(
      expect.objectContaining({
        action: 'retention.hold',
        outcome: 'allowed',
        actor: { kind: 'team_member', id: team.owner.id },
        clientId: team.clientId,
        targetId: verificationId,
        detail: { until },
      }),
    );
    const shown = [
      await linesOf(service),
      await service.countersign.verifications.details(principal, verificationId),
      await agent().run(readVerification, { verificationId }),
    ];
    expect(JSON.stringify(shown)).not.toContain(SECRET_REASON);
  });

  it('set again with the same reason and end, or released twice, changes nothing', async () => {
    const verificationId = await givenApproved();
    const input = { verificationId, reason: SECRET_REASON };
    const versionOf = async () => (await service.storage.verifications.findForAnyClient(verificationId))?.version;
    await owner().run(holdVerification, input);
    const held = await versionOf();
    await owner().run(holdVerification, input);
    expect(await versionOf()).toBe(held);
    await owner().run(releaseVerificationHold, { verificationId });
    const released = await versionOf();
    expect(await operator().run(releaseVerificationHold, { verificationId })).toEqual({
      state: 'kept',
      until: LONGEST,
    });
    expect(await versionOf()).toBe(released);
  });

  it('a hold of an operator is changed and released by operators alone, also if the owner set it first', async () => {
    const verificationId = await givenApproved();
    const input = { verificationId, reason: SECRET_REASON };
    await owner().run(holdVerification, input);
    await operator().run(holdVerification, input);
    const refused = withCode('HELD_BY_OPERATOR');
    await expect(owner().run(holdVerification, { ...input, reason: 'Another' })).rejects.toEqual(refused);
    await expect(owner().run(holdVerification, input)).rejects.toEqual(refused);
    await expect(owner().run(releaseVerificationHold, { verificationId })).rejects.toEqual(refused);
    expect(await owner().run(eraseVerificationData, { verificationId })).toEqual({ state: 'held', until: null });
    expect((await operator().run(releaseVerificationHold, { verificationId })).state).toBe('restricted');
    await owner().run(holdVerification, input);
    expect((await owner().run(releaseVerificationHold, { verificationId })).state).toBe('restricted');
  });

  it('a hold of an operator that has ended is replaced by an owner', async () => {
    const verificationId = await givenApproved();
    const until = new Date(service.clock.now().getTime() + DAY_MS).toISOString();
    await operator().run(holdVerification, { verificationId, reason: SECRET_REASON, until });
    service.clock.advance(DAY_MS);
    const held = await owner().run(holdVerification, { verificationId, reason: 'Another' });
    expect(held).toEqual({ state: 'held', until: null });
  });

  it('a hold is possible after an API key changed the end of the relationship as often as it can', async () => {
    const verificationId = await givenApproved();
    const { verifications } = service.countersign;
    const end = (n: number) => {
      const endedAt = n % 2 === 0 ? '2026-02-01T00:00:00Z' : null;
      return verifications.endRelationship(principal, verificationId, { endedAt });
    };
    let changes = 0;
    while (
      changes < 2_000 &&
      (await end(changes).then(
        () => true,
        () => false,
      ))
    )
      changes += 1;
    expect(changes).toBeGreaterThan(100);
    await expect(end(changes)).rejects.toEqual(withCode('EVENT_LIMIT_REACHED'));
    const input = { verificationId, reason: SECRET_REASON };
    expect((await owner().run(holdVerification, input)).state).toBe('held');
    await owner().run(releaseVerificationHold, { verificationId });
    expect((await operator().run(holdVerification, input)).state).toBe('held');
  });

  it('a hold that would end in the past is refused', async () => {
    const verificationId = await givenApproved();
    const input = { verificationId, reason: SECRET_REASON, until: '2026-01-01T00:00:00.000Z' };
    await expect(owner().run(holdVerification, input)).rejects.toEqual(withCode('INVALID_PARAMETERS'));
  });
});

describe('an erasure', () => {
  it('an erasure that an owner, an operator and a key request at the same time is one erasure', async () => {
    const verificationId = await givenWithdrawn();
    const states = await Promise.all([
      owner().run(eraseVerificationData, { verificationId }),
      operator().run(eraseVerificationData, { verificationId }),
      service.countersign.verifications.eraseData(principal, verificationId),
    ]);
    expect(states).toEqual([ERASED, ERASED, ERASED]);
    const receipts = (await linesOf(service)).filter(({ action }) => action === 'verifications.data_erased');
    expect(receipts).toHaveLength(1);
    expect(await service.storage.retention.lastErasure()).toBe(1);
  });

  it.each([1, 2])(
    'an erasure of an open verification, requested twice at the same time, is one erasure, also between read %i and the withdrawal',
    async (reads) => {
      const { id } = await givenPending();
      const { retention } = service.storage;
      const { find } = retention;
      const read = Promise.withResolvers<void>();
      const erased = Promise.withResolvers<void>();
      let calls = 0;
      const late: typeof find = async (place) => {
        const found = await find(place);
        calls += 1;
        if (calls < reads) return found;
        read.resolve();
        await erased.promise;
        return found;
      };
      Object.assign(retention, { find: late });
      const second = service.countersign.verifications.eraseData(principal, id, { withdraw: true });
      await read.promise;
      Object.assign(retention, { find });
      expect(await service.countersign.verifications.eraseData(principal, id, { withdraw: true })).toEqual(ERASED);
      erased.resolve();

      expect(await second).toEqual(ERASED);
      expect(await retention.lastErasure()).toBe(1);
    },
  );

  it('an erasure by the job has a receipt by the system', async () => {
    await givenWithdrawn();
    await service.countersign.retention.run();
    service.clock.advance(2 * DAY_MS);
    for (let day = 0; day < 95; day += 1) {
      service.clock.advance(DAY_MS);
      await service.countersign.retention.run();
    }
    expect((await linesOf(service)).at(-1)).toMatchObject({
      actor: { kind: 'system', id: null },
      from: null,
      action: 'verifications.data_erased',
      detail: { rule: 'unfinished' },
    });
  });
});

describe('the end of a relationship', () => {
  it('the end of a relationship is set by an agent and taken back without a time', async () => {
    const verificationId = await givenApproved();
    const endedAt = '2026-02-01T12:00:00.000Z';
    expect(await agent().run(endVerificationRelationship, { verificationId, endedAt })).toEqual({
      state: 'kept',
      until: new Date('2031-03-02T00:00:00Z'),
    });
    expect(await agent().run(endVerificationRelationship, { verificationId })).toEqual({
      state: 'kept',
      until: LONGEST,
    });
  });

  it('more than a day ahead is refused, and so is one of a verification that is not approved', async () => {
    const verificationId = await givenApproved();
    const endedAt = '2026-03-03T12:00:00.000Z';
    await expect(agent().run(endVerificationRelationship, { verificationId, endedAt })).rejects.toEqual(
      withCode('INVALID_PARAMETERS'),
    );
    const { id } = await givenPending('user_2');
    await expect(agent().run(endVerificationRelationship, { verificationId: id })).rejects.toEqual(
      withCode('ILLEGAL_TRANSITION'),
    );
  });
});

describe('hidden data', () => {
  it('hidden data is opened by an owner with a reason, which the audit log does not keep', async () => {
    const verificationId = await givenApproved();
    await expect(owner().run(openRestrictedData, { verificationId, reason: SECRET_REASON })).rejects.toEqual(
      withCode('ILLEGAL_TRANSITION'),
    );
    await owner().run(eraseVerificationData, { verificationId });
    expect((await owner().run(readVerification, { verificationId })).submittedData).toEqual({});

    const opened = await owner().run(openRestrictedData, { verificationId, reason: SECRET_REASON });
    expect(JSON.stringify(opened.submittedData)).toContain('Lovelace');
    expect(opened.documents).not.toEqual([]);
    expect(await auditSummary(service)).toContain('retention.open_restricted allowed');
    expect(JSON.stringify(await linesOf(service))).not.toContain(SECRET_REASON);
    const record = await service.storage.verifications.findForAnyClient(verificationId);
    expect(record?.reviewData.openings).toMatchObject([{ reason: SECRET_REASON, userId: team.owner.id }]);
  });

  it.each(['', '   '])('hidden data is not opened with the reason %j', async (reason) => {
    const verificationId = await givenApproved();
    await owner().run(eraseVerificationData, { verificationId });
    await expect(owner().run(openRestrictedData, { verificationId, reason })).rejects.toEqual(
      withCode('INVALID_PARAMETERS'),
    );
  });
});

const ON_VERIFICATION: readonly (readonly [string, ActionEntry, object])[] = [
  ['hold', holdVerification, { reason: SECRET_REASON }],
  ['release', releaseVerificationHold, {}],
  ['end of a relationship', endVerificationRelationship, {}],
  ['erasure', eraseVerificationData, {}],
  ['opening', openRestrictedData, { reason: SECRET_REASON }],
];

it.each(ON_VERIFICATION)(
  "the %s of another client's verification is refused like that of an unknown one, and changes nothing",
  async (_, action, input) => {
    const verificationId = await givenApproved();
    const stranger = await givenTeam(service, 'Other');
    const as = service.countersign.as(signedIn(service, stranger.owner));
    const before = await service.storage.verifications.findForAnyClient(verificationId);
    const refusals = await Promise.all(
      [verificationId, UNKNOWN].map((id) =>
        as
          .runUnchecked(action as Action<never, unknown>, { ...input, verificationId: id })
          .catch((error: unknown) => error),
      ),
    );
    expect(refusals[0]).toEqual(withCode('VERIFICATION_NOT_FOUND'));
    expect(refusals[0]).toEqual(refusals[1]);
    expect(await service.storage.verifications.findForAnyClient(verificationId)).toEqual(before);
  },
);

describe('a retention policy', () => {
  const longer = { ...DEFAULT_RETENTION, rejected: 'P7Y' };

  it('a retention policy is set by an operator, read by the owner with its floor, and removed again', async () => {
    const { clientId } = team;
    const set = await operator().run(setRetentionPolicy, { clientId, ...longer });
    expect(set).toMatchObject({ policy: longer, isOwn: true, floor: { rejected: 'P5Y' }, timeZone: 'UTC' });
    expect(await owner().run(readOwnRetentionPolicy, {})).toEqual(set);
    expect(await operator().run(readRetentionPolicy, { clientId })).toEqual(set);
    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'retention.set_policy',
      targetId: clientId,
      clientId,
      detail: longer,
    });
    expect(await operator().run(setRetentionPolicy, { clientId, useDefault: true })).toMatchObject({
      policy: DEFAULT_RETENTION,
      isOwn: false,
    });
  });

  it.each<[string, object, readonly string[]]>([
    ['a period under the floor', { ...longer, rejected: 'P4Y' }, ['rejected must be at least P5Y']],
    ['a period that is none', { ...longer, unfinished: 'soon' }, ['unfinished must be a duration']],
    ['no period at all', { ...longer, approvedLongest: undefined }, ['approvedLongest is required']],
    ['a period beside the default', { useDefault: true, rejected: 'P9Y' }, ['rejected must be left out']],
  ])('a retention policy is refused with %s, which names the period', async (_, input, expected) => {
    const { clientId } = team;
    const refusal: unknown = await operator()
      .runUnchecked(setRetentionPolicy, { clientId, ...input })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: expected.map((text) => issueLike(text)) },
    });
    expect(await owner().run(readOwnRetentionPolicy, {})).toMatchObject({ isOwn: false });
  });

  it('a retention policy that is set twice at the same time is one of the two, whole', async () => {
    const { clientId } = team;
    const other = { ...DEFAULT_RETENTION, unfinished: 'P10D', replacedUploads: 'P1D' };
    await Promise.all([longer, other].map((each) => operator().run(setRetentionPolicy, { clientId, ...each })));
    const { policy } = await operator().run(readRetentionPolicy, { clientId });
    expect([longer, other]).toContainEqual(policy);
  });

  it('a retention policy of a test twin is that of its client: the refusal to set it names the client', async () => {
    const { id } = await service.countersign.clients.testTwin(team.clientId);
    await expect(operator().run(setRetentionPolicy, { clientId: id, ...longer })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringContaining(team.clientId),
    });
    await operator().run(setRetentionPolicy, { clientId: team.clientId, ...longer });
    expect(await operator().run(readRetentionPolicy, { clientId: id })).toMatchObject({ policy: longer });
  });

  it('a retention policy of an unknown client is refused', async () => {
    const clientId = UNKNOWN;
    const code = withCode('CLIENT_NOT_FOUND');
    await expect(operator().run(setRetentionPolicy, { clientId, ...longer })).rejects.toEqual(code);
    await expect(operator().run(readRetentionPolicy, { clientId })).rejects.toEqual(code);
  });

  it('applies to verifications that were decided before', async () => {
    const { clientId } = team;
    const verificationId = await givenApproved();
    await operator().run(setRetentionPolicy, { clientId, ...longer, approvedLongest: 'P20Y' });
    const { data } = await service.countersign.verifications.details(principal, verificationId);
    expect(data.until).toEqual(new Date('2046-03-02T00:00:00Z'));
  });
});

describe('the monthly report', () => {
  async function numbersOf(report: RetentionReport): Promise<number[]> {
    const numbers: number[] = [];
    for await (const { number } of report.erasures()) numbers.push(number);
    return numbers;
  }

  it('the monthly report has each receipt of the client in the month, half open in UTC, and totals by rule', async () => {
    const ids: string[] = [];
    for (const at of [
      '2026-03-31T23:59:59.999Z',
      '2026-04-01T00:00:00.000Z',
      '2026-04-30T23:59:59.999Z',
      '2026-05-01T00:00:00.000Z',
    ]) {
      service.clock.set(at);
      const { id } = await givenPending(`user_${at}`);
      await service.countersign.verifications.eraseData(principal, id, { withdraw: true });
      ids.push(id);
    }
    const other = await givenTeam(service, 'Other');
    const report = await owner().run(readOwnRetentionReport, { month: '2026-04' });
    expect(report).toMatchObject({
      client: { id: team.clientId, name: 'Acme' },
      from: new Date('2026-04-01T00:00:00Z'),
      until: new Date('2026-05-01T00:00:00Z'),
      total: 2,
      totals: { requested: 2, unfinished: 0 },
    });
    expect(await numbersOf(report)).toEqual([2, 3]);
    for await (const erasure of report.erasures()) {
      expect(ids.slice(1, 3)).toContain(erasure.verificationId);
      expect(erasure.hash).toMatch(/^[0-9a-f]{64}$/);
    }
    const theirs = await operator().run(readRetentionReport, { clientId: other.clientId, month: '2026-04' });
    expect([theirs.total, await numbersOf(theirs)]).toEqual([0, []]);
  });

  it('lists the erasures that it counted, and none that had nothing to erase', async () => {
    const { retention } = service.storage;
    const at = service.clock.now();
    const receipt = {
      clientId: team.clientId,
      at,
      rule: 'log',
      steps: 0,
      files: 0,
      events: 0,
      finishedAt: at,
    } as const;
    const hash = hashOfNothing(createCountingSecrets());
    await retention.recordErasure({ ...receipt, number: 1, verificationId: 'unknown', hash });
    await retention.recordErasure({ ...receipt, number: 2, verificationId: 'restored', hash: '0'.repeat(64) });
    const report = await owner().run(readOwnRetentionReport, { month: at.toISOString().slice(0, 7) });

    await retention.recordErasure({ ...receipt, number: 3, verificationId: 'later', hash: '0'.repeat(64) });
    expect([report.total, await numbersOf(report)]).toEqual([1, [2]]);
  });

  it('the monthly report of more receipts than one read has is whole', async () => {
    const count = 205;
    for (let number = 1; number <= count; number += 1) {
      await service.storage.retention.recordErasure({
        number,
        clientId: team.clientId,
        verificationId: `verification-${number}`,
        at: service.clock.now(),
        rule: 'log',
        steps: 0,
        files: 0,
        events: 0,
        hash: '0'.repeat(64),
        finishedAt: service.clock.now(),
      });
    }
    const report = await owner().run(readOwnRetentionReport, { month: '2026-03' });
    expect([report.total, report.totals.log]).toEqual([count, count]);
    expect(await numbersOf(report)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it.each(['2026-04', '2026-13', '2026-1', '', '1969-12', '2026-03-01'])(
    'the monthly report of the month %j is refused',
    async (month) => {
      await expect(owner().run(readOwnRetentionReport, { month })).rejects.toEqual(withCode('INVALID_PARAMETERS'));
    },
  );

  it('the monthly report of an unknown client is refused', async () => {
    const input = { clientId: UNKNOWN, month: '2026-03' };
    await expect(operator().run(readRetentionReport, input)).rejects.toEqual(withCode('CLIENT_NOT_FOUND'));
  });
});

function issueLike(text: string): object {
  const [path, ...words] = text.split(' ');
  return { path, message: expect.stringContaining(words.join(' ')) };
}

describe('the audit log of API keys', () => {
  it('the audit log of API keys has a line of each request that changes something, before its receipt', async () => {
    const { verifications } = service.countersign;
    const id = await givenApproved();
    const from = '203.0.113.9';
    await verifications.endRelationship(principal, id, { endedAt: '2026-02-01T00:00:00Z' }, { from });
    await verifications.eraseData(principal, id, { from });
    const other = await givenPending('user_2');
    await verifications.eraseData(principal, other.id, { withdraw: true, from });

    const actor = { kind: 'api_key', id: keyId };
    const lines = (await linesOf(service)).filter(({ action }) => !action.startsWith('review.'));
    expect(lines).toMatchObject([
      {
        actor,
        from,
        action: 'retention.end_relationship',
        outcome: 'allowed',
        targetId: id,
        detail: { endedAt: '2026-02-01T00:00:00.000Z' },
      },
      { actor, from, action: 'retention.erase', outcome: 'allowed', targetId: id, clientId: team.clientId },
      { actor, from, action: 'retention.erase', targetId: other.id, detail: { withdraw: true } },
      { actor, from: null, action: 'verifications.data_erased', targetId: other.id },
    ]);
    expect(await service.countersign.verifyAudit()).toMatchObject({ outcome: 'intact' });
  });

  it('the audit log of API keys has one line however often a request is repeated, and none of unknown verifications and bad input', async () => {
    const { verifications } = service.countersign;
    const id = await givenApproved();
    const before = (await linesOf(service)).length;
    const endedAt = '2026-02-01T00:00:00Z';
    for (let n = 0; n < 3; n += 1) await verifications.endRelationship(principal, id, { endedAt });
    for (let n = 0; n < 3; n += 1) await verifications.eraseData(principal, id);
    expect(await linesOf(service)).toHaveLength(before + 2);

    const stranger = await givenTeam(service, 'Other');
    const { value } = await service.countersign.apiKeys.issue(stranger.clientId, { permissions: ['*'] });
    const foreign = await service.countersign.authenticate(value, { countRequest: false });
    const notFound = withCode('VERIFICATION_NOT_FOUND');
    await expect(verifications.eraseData(foreign, id)).rejects.toEqual(notFound);
    await expect(verifications.eraseData(principal, UNKNOWN)).rejects.toEqual(notFound);
    await expect(verifications.endRelationship(foreign, id, { endedAt: null })).rejects.toEqual(notFound);
    await expect(verifications.endRelationship(principal, id, { endedAt: 'soon' })).rejects.toEqual(
      withCode('INVALID_PARAMETERS'),
    );
    expect(await linesOf(service)).toHaveLength(before + 2);
  });

  it('the audit log of API keys has one line of requests that the status refuses, and a summary of those that repeat them', async () => {
    const { id } = await givenPending();
    const { verifications } = service.countersign;
    const refused = withCode('ILLEGAL_TRANSITION');
    for (let n = 0; n < 20; n += 1) {
      await expect(verifications.eraseData(principal, id)).rejects.toEqual(refused);
      const ended = verifications.endRelationship(principal, id, { endedAt: null });
      await expect(ended).rejects.toEqual(refused);
    }
    const lines = [
      'retention.erase refused ILLEGAL_TRANSITION',
      'retention.end_relationship refused ILLEGAL_TRANSITION',
    ];
    expect(await auditSummary(service)).toEqual(lines);
    await service.countersign.summariseRefusals();
    expect((await linesOf(service)).slice(2)).toMatchObject([
      { outcome: 'refused', targetId: id, detail: { count: 19 } },
      { outcome: 'refused', targetId: id, detail: { count: 19 } },
    ]);
  });

  it('an erasure does not begin if its line cannot be written', async () => {
    const id = await givenWithdrawn();
    Object.assign(service.storage.audit, { append: async () => Promise.reject(new Error('The disk is full')) });
    await expect(service.countersign.verifications.eraseData(principal, id)).rejects.toThrow('The disk is full');
    expect((await service.countersign.verifications.details(principal, id)).data.state).toBe('kept');
  });
});
