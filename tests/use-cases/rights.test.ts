import { type Caller, isCountersignError } from '@countersign/domain';
import { ACTIONS, type Action, issueApiKey, listApiKeys } from '@countersign/domain/actions';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { ADDRESS, givenStaff, givenTeam, linesOf, signedIn } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';
import { CONFIRMED, everyone, RIGHTS, type Who } from '../authorisation/rights-table.ts';

const NOBODY: readonly [who: readonly Who[], input: object] = [[], {}];

let service: Service;
let callers: Record<Who, Caller>;

beforeEach(async () => {
  service = givenService();
  const { owner, agent, viewer } = await givenTeam(service);
  callers = {
    owner: signedIn(service, owner),
    agent: signedIn(service, agent),
    viewer: signedIn(service, viewer),
    reviewer: signedIn(service, await givenStaff(service, { role: 'reviewer' })),
    operator: signedIn(service, await givenStaff(service, { role: 'operator' })),
    anonymous: { kind: 'anonymous', from: ADDRESS },
    'command line': { kind: 'command_line' },
  };
});

it('names every action', () => {
  expect(Object.keys(RIGHTS).sort()).toEqual(ACTIONS.map(({ id }) => id).sort());
});

describe.each(everyone)('%s', (who) => {
  it('may run the actions of the role, and is refused every other one with one line each', async () => {
    const as = service.countersign.as(callers[who]);
    for (const action of ACTIONS as readonly Action<never, unknown>[]) {
      const [allowed, input] = RIGHTS[action.id] ?? NOBODY;
      // So that the refusal of this action is the first of its kind.
      await service.countersign.summariseRefusals();
      const { length } = await linesOf(service);
      const before = await contentOf(service);
      const code = await as.runUnchecked(action, input).then(
        () => 'done',
        (error: unknown) => (isCountersignError(error) ? error.code : String(error)),
      );
      expect([action.id, as.may(action)]).toEqual([action.id, allowed.includes(who) ? 'yes' : 'no']);
      if (allowed.includes(who)) {
        expect([action.id, code]).not.toEqual([action.id, 'NOT_ALLOWED']);
        expect(['done', ...action.outcomes]).toContain(code);
        continue;
      }
      expect([action.id, code]).toEqual([action.id, 'NOT_ALLOWED']);
      expect(await contentOf(service)).toEqual(before);
      const [line, ...more] = (await linesOf(service)).slice(length);
      expect([line, more]).toMatchObject([{ action: action.id, outcome: 'refused', detail: { code } }, []]);
      expect(line?.actor.kind).toBe(KINDS[who]);
    }
  });
});

it('asks for the password again before the actions that need it, and only before these', async () => {
  const { owner } = await givenTeam(service);
  const operator = await givenStaff(service, { role: 'operator' });
  const late = [owner, operator].map((user) =>
    service.countersign.as(signedIn(service, user, { confirmedSecondsAgo: 601 })),
  );
  const asked = ACTIONS.filter((action) => late.some((as) => as.may(action) === 'after_confirmation'));
  expect(asked.map(({ id }) => id).sort()).toEqual(CONFIRMED);
});

const KINDS: Record<Who, string> = {
  owner: 'team_member',
  agent: 'team_member',
  viewer: 'team_member',
  reviewer: 'reviewer',
  operator: 'operator',
  'command line': 'operator',
  anonymous: 'anonymous',
};

it('gives no right to an account whose role and team role contradict', async () => {
  const { owner } = await givenTeam(service);
  for (const broken of [{ clientId: null }, { teamRole: null }, { role: 'reviewer' } as const]) {
    const as = service.countersign.as(signedIn(service, { ...owner, ...broken }));
    await expect(as.run(listApiKeys, {})).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    expect(as.may(issueApiKey)).toBe('no');
  }
});

async function contentOf({ staff, countersign }: Service): Promise<unknown> {
  const clients = await countersign.clients.list();
  const keys = await Promise.all(clients.map(({ client }) => countersign.apiKeys.list(client.id)));
  return { clients, keys, staff: await staff.list() };
}
