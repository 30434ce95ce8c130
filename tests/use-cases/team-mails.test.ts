import { pauseWebhook, removeFromTeam, resumeWebhook } from '@countersign/domain/actions';
import type { MailContent } from '@countersign/domain/mail';
import { RECOVERY } from '@countersign/domain/webhooks';
import { createMemoryMailer, createMemoryStorage } from '@countersign/memory';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { NO_BACKLOG, queuedMails, sendDue } from '@countersign/test-support/service/mails';
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
  await storage.webhooks.add(
    webhookEndpoint({
      id: 'endpoint-1',
      clientId,
      url: 'https://hooks.acme.example:8443/in?secret=kumquat',
      since: clock.now(),
      createdAt: clock.now(),
    }),
  );
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
        wake: RECOVERY,
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
    sent: () => sendDue(mailer, service),
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
    [
      'has an owner who is now in another team',
      async ({ staff, second, other }) => {
        const { findRecipient } = staff;
        staff.findRecipient = async (id) => {
          const found = await findRecipient(id);
          return found && id === second.id ? { ...found, user: other.owner } : found;
        };
      },
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
    const rows = await queuedMails(at);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/@|http|Acme|kumquat/);
    expect(rows[0]).toMatchObject({ clientId: at.clientId, targetId: 'endpoint-1', verificationId: null });

    const silent = await given({ sendsMail: false });
    await silent.fail(true);
    expect(await silent.countersign.mails.backlog()).toEqual(NO_BACKLOG);
  });
});

it.each([false, true])(
  'mails to users: an instance without a team, with recipients %s, drops those of others',
  async (hasRecipients) => {
    const at = await given();
    const operator = await givenStaff(at, { role: 'operator' });
    await at.fail(true);
    await operationsAs(at, operator).users.resetSecondFactor(at.owner.id);
    const { countersign, faults } = givenService({
      storage: at.storage,
      mailer: createMemoryMailer(),
      staff: undefined,
      recipients: hasRecipients ? at.staff : undefined,
    });
    const { mails } = countersign;
    expect(mails).toMatchObject({ isOn: true, sendsToUsers: hasRecipients });
    expect(await mails.aboutPause({ clientId: at.clientId, id: 'endpoint-1' })).toEqual([]);
    expect(await mails.send()).toMatchObject({ sent: 0, moot: 3 });
    expect(faults).toEqual([]);
  },
);

describe('an API key that expires', () => {
  /** A service with a key of 30 days. Returns it and its client's owners. */
  async function givenKey(ports: Parameters<typeof given>[0] = {}) {
    const at = await given(ports);
    const { key } = await at.countersign.apiKeys.issue(at.clientId, {
      name: 'https://shop.example',
      permissions: ['*'],
      expiresInDays: 30,
    });
    /** Moves to a number of days before the end of the key, and runs the job on two instances at once. */
    const daysBefore = async (days: number) => {
      const end = key.expiresAt?.getTime() ?? 0;
      at.clock.advance(end - days * DAY_MS - at.clock.now().getTime());
      const { queueKeyNotices } = at.countersign.mails;
      const [first, second] = await Promise.all([queueKeyNotices(), queueKeyNotices()]);
      return first + second;
    };
    return { ...at, key, daysBefore };
  }

  it('is named to each owner seven days and one day before, once each', async () => {
    const at = await givenKey();
    expect([await at.daysBefore(7.1), await at.sent()]).toEqual([0, []]);
    for (const days of [7, 1]) {
      expect(await at.daysBefore(days)).toBe(1);
      const mails = await at.sent();
      expect(recipients(mails)).toEqual([at.owner.email, at.second.email].toSorted());
      const { name: keyName, display: keyDisplay, expiresAt } = at.key;
      const url = 'https://verify.example/dashboard/keys';
      expect(mails[0]).toMatchObject({
        kind: 'team.key_expiring',
        values: { clientName: 'Acme', url, keyName, keyDisplay, expiresAt },
      });
      expect([await at.daysBefore(days - 0.5), await at.sent()]).toEqual([0, []]);
    }
    expect([await at.daysBefore(0), await at.sent()]).toEqual([0, []]);
  });

  it('that is found late gets the last notice only', async () => {
    const at = await givenKey();
    expect(await at.daysBefore(0.5)).toBe(1);
    expect(await at.sent()).toHaveLength(2);
    expect(await at.daysBefore(0.4)).toBe(0);
  });

  it('and was revoked, or has expired before the mail is sent, gets none', async () => {
    const at = await givenKey();
    await at.daysBefore(7);
    await at.countersign.apiKeys.revoke(at.clientId, at.key.id);
    expect(await at.sent()).toEqual([]);
    const late = await givenKey();
    await late.daysBefore(1);
    late.clock.advance(DAY_MS);
    expect(await late.sent()).toEqual([]);
  });

  it('of a service without a mail server is not marked, so that it is named once there is one', async () => {
    const at = await givenKey({ sendsMail: false });
    expect(await at.daysBefore(1)).toBe(0);
    expect((await at.storage.apiKeys.list(at.clientId)).map(({ noticedDays }) => noticedDays)).toEqual([
      null,
      null,
    ]);
  });

  it('queues its mails with its mark: a fault in between leaves neither', async () => {
    const at = await givenKey();
    const { noteKeyExpiry } = at.storage.mails;
    Object.assign(at.storage.mails, { noteKeyExpiry: () => Promise.reject(new Error('killed')) });
    await expect(at.daysBefore(7)).rejects.toThrow('killed');
    expect(await at.sent()).toEqual([]);
    Object.assign(at.storage.mails, { noteKeyExpiry });
    expect(await at.daysBefore(6)).toBe(1);
    expect(await at.sent()).toHaveLength(2);
  });

  it('in many is named in each of them', async () => {
    const at = await given();
    for (let n = 0; n < 9; n += 1)
      await at.countersign.apiKeys.issue(at.clientId, { permissions: ['*'], expiresInDays: 30 });
    at.clock.advance(24 * DAY_MS);
    expect(await at.countersign.mails.queueKeyNotices()).toBe(9);
    expect(await at.sent()).toHaveLength(18);
  });
});
