import { dashboardOf } from '@countersign/test-support/installation/dashboard';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

let service: Service;
let client: Awaited<ReturnType<typeof givenClient>>;

beforeEach(async () => {
  service = givenService();
  client = await givenClient(service, { monthlyLimit: 3 });
});

/** A day on which so many verifications were created, all of them still pending. */
const usedOn = (day: string, count: number) => ({
  day,
  count,
  statuses: { pending: count, submitted: 0, action_needed: 0, approved: 0, rejected: 0 },
});

const usage = () => dashboardOf(service, client.clientId).usage();

async function creatingAt(moment: string, { principal } = client): Promise<void> {
  service.clock.set(moment);
  const body = { subjectType: 'kyc', subjectReference: `${principal.clientId} at ${moment}` };
  await service.countersign.verifications.create(principal, body);
}

describe('the usage', () => {
  it('shows the last 30 days in UTC, today last, those without any included', async () => {
    const other = await givenClient(service);
    for (const moment of ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z', '2026-03-29T23:59:59.999Z']) {
      await creatingAt(moment);
    }
    await creatingAt('2026-03-31T12:00:00.000Z', other);
    const { days } = await usage();
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual(usedOn('2026-03-02', 1));
    expect(days[27]).toEqual(usedOn('2026-03-29', 1));
    expect(days.at(-1)).toEqual(usedOn('2026-03-31', 0));
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it('counts today until its last millisecond', async () => {
    await creatingAt('2026-03-31T23:59:59.999Z');
    expect((await usage()).days.at(-1)).toEqual(usedOn('2026-03-31', 1));
    service.clock.advance(1);
    expect((await usage()).days.slice(-2)).toEqual([usedOn('2026-03-31', 1), usedOn('2026-04-01', 0)]);
  });

  it('reaches the limit until the month ends', async () => {
    expect(await usage()).toMatchObject({ month: '2026-03', used: 0, allowance: 3, state: 'open' });
    for (const minute of ['10', '11', '12']) await creatingAt(`2026-03-31T23:${minute}:00.000Z`);
    expect(await usage()).toMatchObject({
      used: 3,
      state: 'limit_reached',
      resetsAt: new Date('2026-04-01T00:00:00.000Z'),
    });
    service.clock.set('2026-04-01T00:00:00.000Z');
    expect(await usage()).toMatchObject({ month: '2026-04', used: 0, state: 'open' });
  });

  it('counts from 0 after December', async () => {
    service.clock.set('2026-12-31T23:59:59.999Z');
    expect(await usage()).toMatchObject({ month: '2026-12', resetsAt: new Date('2027-01-01T00:00:00.000Z') });
  });

  it('the usage has the state no_active_subscription without one', async () => {
    await service.countersign.clients.setSubscription(client.clientId, { status: 'canceled' });
    expect(await usage()).toMatchObject({ allowance: 0, state: 'no_active_subscription' });
    await service.countersign.clients.setSubscription(client.clientId, { status: 'active', monthlyLimit: 0 });
    expect(await usage()).toMatchObject({ allowance: 0, state: 'limit_reached' });
  });
});
