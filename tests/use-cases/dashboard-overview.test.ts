import {
  createWebhook,
  issueApiKey,
  listApiRequests,
  listAttention,
  readFirstSteps,
  readOwnActivity,
} from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { User } from '@countersign/domain/staff';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { givenStaff, givenTeam, signedIn, type Team } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let service: Service;
let team: Team;

beforeEach(async () => {
  service = givenService();
  team = await givenTeam(service);
});

function asUser(user: User, mode: 'live' | 'test' = 'live') {
  const caller = signedIn(service, user);
  if (caller.kind !== 'user') throw new Error('not signed in');
  return service.countersign.as({ ...caller, mode });
}

async function principalIn(mode: 'live' | 'test') {
  const { value } = await asUser(team.owner, mode).run(issueApiKey, { name: 'Shop', permissions: ['*'] });
  return service.countersign.authenticate(value, { countRequest: false });
}

async function givenSubmitted(subjectReference: string) {
  const { verifications, subject } = service.countersign;
  const { verification } = await verifications.create(await principalIn('live'), {
    subjectType: 'kyc',
    subjectReference,
  });
  const { access } = await subject.open(verification.verificationUrl.split('/').at(-1) as string);
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(service.countersign, access, step);
  const { version } = await subject.submit(access);
  return { verificationId: verification.id, version };
}

describe('the activity of a client', () => {
  it('follows verifications from their creation to the decision', async () => {
    const approved = await givenSubmitted('user_1');
    service.clock.advance(41 * MINUTE);
    await reviewAs(service.countersign).approve(approved);
    service.clock.advance(DAY);
    const waitingSince = service.clock.now();
    await givenSubmitted('user_2');
    service.clock.advance(MINUTE);

    const { days, ...report } = await asUser(team.viewer).run(readOwnActivity, {});
    expect(report).toEqual({
      totals: { created: 2, submitted: 2, approved: 1, rejected: 0 },
      medianMs: 41 * MINUTE,
      medianBeforeMs: null,
      waiting: 1,
      waitingSince,
    });
    expect(days.slice(-2)).toEqual([
      { day: '2026-03-01', created: 1, submitted: 1, approved: 1, rejected: 0, medianMs: 41 * MINUTE, waiting: 0 },
      { day: '2026-03-02', created: 1, submitted: 1, approved: 0, rejected: 0, medianMs: null, waiting: 1 },
    ]);
  });

  it('keeps live and test verifications apart', async () => {
    await givenSubmitted('user_1');
    const { totals, waiting } = await asUser(team.owner, 'test').run(readOwnActivity, {});
    expect({ totals, waiting }).toEqual({
      totals: { created: 0, submitted: 0, approved: 0, rejected: 0 },
      waiting: 0,
    });
  });
});

it('the API requests: none are listed in a service that keeps none', async () => {
  expect(await asUser(team.owner).run(listApiRequests, {})).toEqual([]);
});

describe('what needs attention', () => {
  it('attention is listed for users whose role may act on it', async () => {
    const { verificationId } = await givenSubmitted('user_1');
    await asUser(team.owner).run(issueApiKey, { name: 'Unused', permissions: ['*'] });
    const { endpoint } = await asUser(team.owner).run(createWebhook, {
      name: 'Shop',
      url: 'https://shop.example/hooks',
      types: ['verification.approved'],
    });
    const failingSince = service.clock.now();
    await service.storage.webhooks.change(endpoint.clientId, endpoint.id, { failingSince }, failingSince);
    const { clientId } = endpoint;
    await service.storage.exports.request({
      id: '00000000-0000-7000-8000-0000000000ee',
      clientId,
      verificationId,
      requestedAt: failingSince,
      requestedBy: 'subject',
    });
    service.clock.advance(30 * DAY);

    expect(await asUser(team.owner).run(listAttention, {})).toMatchObject([
      {
        kind: 'endpoint_failing',
        endpointId: endpoint.id,
        since: failingSince,
        isPaused: false,
        refused: { count: 0, isExact: true },
      },
      { kind: 'key_unused', name: 'Unused' },
      { kind: 'copies_requested', count: { count: 1, isExact: true }, since: failingSince },
    ]);
    for (const user of [team.agent, team.viewer]) expect(await asUser(user).run(listAttention, {})).toEqual([]);
    expect(await asUser(team.owner, 'test').run(listAttention, {})).toEqual([]);
  });
});

describe('the first steps', () => {
  const namesOf = async (user: User, mode: 'live' | 'test' = 'live') =>
    (await asUser(user, mode).run(readFirstSteps, {})).map(({ name, isDone }) => `${name} ${isDone}`);

  it('first steps follow what the team does, alike in both modes', async () => {
    const open = ['key false', 'verification false', 'webhook false', 'live false'];
    expect(await namesOf(team.owner)).toEqual(open);

    const input = { subjectType: 'kyc', subjectReference: 'user_1' };
    await service.countersign.verifications.create(await principalIn('test'), input);
    const tested = ['key true', 'verification true', 'webhook false', 'live false'];
    expect(await namesOf(team.owner)).toEqual(tested);
    expect(await namesOf(team.owner, 'test')).toEqual(tested);

    await givenSubmitted('user_2');
    expect(await namesOf(team.owner, 'test')).toEqual([...tested.slice(0, 3), 'live true']);

    const webhook = { name: 'Shop', url: 'https://shop.example/hooks', types: ['verification.approved'] } as const;
    await asUser(team.owner, 'test').run(createWebhook, webhook);
    expect(await namesOf(team.owner)).toEqual(['key true', 'verification true', 'webhook true', 'live true']);
  });

  it('first steps: a key that was revoked is none', async () => {
    const { key } = await asUser(team.owner).run(issueApiKey, { name: 'Shop', permissions: ['*'] });
    await service.countersign.apiKeys.revoke(team.clientId, key.id);
    expect(await namesOf(team.owner)).toContain('key false');
  });

  it('first steps: a client without a subscription lacks it first', async () => {
    const { client } = await service.countersign.clients.create({ name: 'Unpaid', plan: 'none' });
    const owner = await givenStaff(service, { role: 'client', clientId: client.id, teamRole: 'owner' });
    expect((await asUser(owner).run(readFirstSteps, {})).at(-1)?.lacks).toBe('subscription');
  });

  it('the first steps are those that the role has', async () => {
    for (const user of [team.agent, team.viewer]) {
      expect(await namesOf(user)).toEqual(['verification false', 'live false']);
    }
  });
});
