import { type MailContent, pauseWebhook, removeFromTeam, resumeWebhook } from '@countersign/domain';
import { createMemoryMailer, createMemoryStorage } from '@countersign/memory';
import { givenService } from '@countersign/test-support/service/service';
import { givenStaff, givenTeam, operationsAs } from '@countersign/test-support/service/team';
import { describe, expect, it } from 'vitest';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A service with an endpoint of a team, that sends mail unless `sendsMail` is false. */
async function given({ sendsMail = true } = {}) {
  const mailer = createMemoryMailer();
  const storage = createMemoryStorage();
  const service = givenService({ storage, ...(sendsMail && { mailer }) });
  const { countersign, clock, staff } = service;
  const team = await givenTeam(service);
  const { clientId } = team;
  const other = await givenTeam(service, 'Other');
  // Has not joined, so there is no one to read it.
  await staff.create({ role: 'client', clientId, teamRole: 'owner', email: 'invited@example.org' });
  const second = await givenStaff(service, { role: 'client', clientId, teamRole: 'owner' });
  await storage.webhooks.add({
    id: 'endpoint-1',
    clientId,
    url: 'https://hooks.acme.example:8443/in?secret=kumquat',
    name: '',
    types: ['verification.created'],
    state: 'active',
    since: clock.now(),
    createdAt: clock.now(),
    createdBy: null,
    secret: { value: 'whsec_x', wrappedBy: null },
    secretVersion: 1,
    previousSecret: null,
    olderSecret: null,
    failingSince: null,
  });
  const { value } = await countersign.apiKeys.issue(clientId, { permissions: ['*'] });
  const principal = await countersign.authenticate(value);
  let created = 0;

  /** Fails a delivery to the endpoint, as the sender of webhooks does. */
  async function fail(pauses: boolean): Promise<void> {
    created += 1;
    await countersign.verifications.create(principal, { subjectType: 'kyc', subjectReference: `user_${created}` });
    await storage.webhooks.fanOut({ now: clock.now(), limit: 9 });
    const now = clock.now();
    const [endpoint] = await storage.webhooks.leaseEndpoints({ leaseToken: 'x', now, until: now, limit: 1 });
    if (endpoint === undefined) throw new Error('no endpoint is due');
    const lease = { clientId, endpointId: endpoint.id, leaseToken: 'x' };
    const [delivery] = (await storage.webhooks.due(lease, { now, limit: 1, except: [] })) ?? [];
    if (delivery === undefined) throw new Error('nothing is due');
    const { id: eventId, verificationId, version } = delivery.event;
    const attempt = { id: `attempt ${created}`, at: now, durationMs: 3, request: '{}', fault: null };
    await storage.webhooks.settle(
      lease,
      { eventId, verificationId, version },
      {
        attempt: { ...attempt, status: 500, response: '' },
        settlement: { state: 'failed' },
        pauseIfFailingSince: pauses ? now : new Date(0),
        disable: false,
        mailsIfPaused: await countersign.mails.aboutPause(endpoint),
      },
    );
    await storage.webhooks.release(lease);
  }

  return {
    ...service,
    ...team,
    other,
    second,
    fail,
    asOwner: operationsAs(service, team.owner).as,
    /** Sends what is due, and returns it. */
    sent: async (): Promise<readonly MailContent[]> => {
      mailer.received.length = 0;
      while (!(await countersign.mails.send()).isDone);
      return [...mailer.received];
    },
  };
}

const recipients = (mails: readonly MailContent[]) => mails.map(({ to }) => to).toSorted();

describe('an endpoint that is paused because it fails', () => {
  it('is named to each owner of its client who has joined, by the host of its URL', async () => {
    const at = await given();
    await at.staff.keepLocale(at.owner.id, 'de');
    const failingSince = at.clock.now();
    await at.fail(false);
    expect(await at.sent()).toEqual([]);
    at.clock.advance(3 * DAY_MS);
    await at.fail(true);

    const mails = await at.sent();
    expect(recipients(mails)).toEqual([at.owner.email, at.second.email].toSorted());
    expect(mails.find(({ to }) => to === at.owner.email)).toEqual({
      kind: 'team.endpoint_paused',
      messageId: expect.any(String) as string,
      to: at.owner.email,
      locale: 'de',
      values: {
        clientName: 'Acme',
        url: 'https://verify.example/dashboard/webhooks/endpoint-1',
        host: 'hooks.acme.example:8443',
        failingSince,
      },
    });
    expect(JSON.stringify(mails)).not.toContain('kumquat');
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
    expect(await at.sent()).toEqual([]);
  });

  it.each<[what: string, act: (at: Awaited<ReturnType<typeof given>>) => Promise<unknown>, left: number]>([
    ['was resumed', ({ asOwner }) => asOwner.run(resumeWebhook, { endpointId: 'endpoint-1' }), 0],
    ['was removed', ({ storage, clientId }) => storage.webhooks.remove(clientId, 'endpoint-1'), 0],
    ['has another owner removed', ({ asOwner, second }) => asOwner.run(removeFromTeam, { userId: second.id }), 1],
    [
      'has an owner who lost the right',
      ({ staff, second }) =>
        staff.changeRole(second.id, { role: 'client', teamRole: 'agent' }, { keepOwner: true }),
      1,
    ],
  ])('and meanwhile %s: nothing moot is sent', async (_, act, left) => {
    const at = await given();
    await at.fail(true);
    await act(at);
    expect(await at.sent()).toHaveLength(left);
    expect((await at.countersign.mails.backlog()).waiting).toBe(0);
  });

  it('by a user: no mail', async () => {
    const at = await given();
    const endpoint = await at.asOwner.run(pauseWebhook, { endpointId: 'endpoint-1' });
    expect(endpoint.state).toBe('paused');
    expect(await at.sent()).toEqual([]);
  });

  it('queues ids only, and nothing without a mailer', async () => {
    const at = await given();
    await at.fail(true);
    const now = at.clock.now();
    const rows = await at.storage.mails.lease({ leaseToken: 'y', now, until: now, limit: 9 });
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/@|http|Acme|kumquat/);
    expect(rows[0]).toMatchObject({ clientId: at.clientId, targetId: 'endpoint-1', verificationId: null });

    const silent = await given({ sendsMail: false });
    await silent.fail(true);
    expect(await silent.storage.mails.backlog({ now, limit: 9 })).toEqual({ waiting: 0, oldestAt: null });
  });
});
