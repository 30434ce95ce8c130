import type { SubscriptionSettings } from '@countersign/domain/clients';
import {
  type Answer,
  atOnce,
  expectRefusal,
  idOf,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { idsIn, tallyOf } from '@countersign/test-support/installation/database-file';
import { operate } from '@countersign/test-support/installation/operator';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

/** Returns the month's usage that the command line prints. */
async function usedBy(clientId: string): Promise<number | undefined> {
  const clients = await countersignHere<{ id: string; usage: { used: number } }[]>(['client', 'list'], server.env);
  return clients.find(({ id }) => id === clientId)?.usage.used;
}

const totalOf = ({ body }: Answer) => (body.data?.pagination as { totalCount: number } | undefined)?.totalCount;

describe('POST /verifications', () => {
  it('answers 201 in the envelope with exactly the seven fields', async () => {
    const { api } = await givenApi(server);
    const before = Date.now();

    const answer = await api.post({ ...newSubject('user_1'), metadata: { tenant: 'acme' } });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(answer.body).toEqual({
      success: true,
      message: expect.stringMatching(/\S/) as string,
      data: {
        id: expect.stringMatching(/^[\w-]{1,64}$/) as string,
        type: 'kyc',
        subjectReference: 'user_1',
        status: 'pending',
        requestedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string,
        currentStep: 0,
        verificationUrl: expect.stringContaining(
          `http://localhost:${server.port}/verify/${idOf(answer)}.`,
        ) as string,
      },
    });
    const requestedAt = Date.parse(String(answer.body.data?.requestedAt));
    expect(requestedAt).toBeGreaterThanOrEqual(before);
    expect(requestedAt).toBeLessThanOrEqual(Date.now());
  });

  it('200 concurrent requests: creates exactly as many as the monthly limit allows', async () => {
    const { api, clientId } = await givenApi(server, { monthlyLimit: 100 });

    const answers = await atOnce(200, (n) => api.post(newSubject(`user_${n}`)));

    expect(kindsOf(answers)).toEqual({ '201': 100, '403 LIMIT_EXCEEDED': 100 });
    expect(tallyOf(server.databaseFile, clientId)).toEqual({
      rows: 100,
      used: 100,
      counted: 100,
      created: 100,
      events: 100,
    });
    const acknowledged = new Set(answers.filter(({ status }) => status === 201).map(idOf));
    expect(idsIn(server.databaseFile, clientId)).toEqual(acknowledged);
    // The API and the command line agree.
    expect(totalOf(await api.get())).toBe(100);
    expect(await usedBy(clientId)).toBe(100);
    expectRefusal(await api.post(newSubject('one more')), 403, 'LIMIT_EXCEEDED');
  });

  it('200 concurrent requests for the same subject: creates and counts one', async () => {
    const { api, clientId } = await givenApi(server);

    const answers = await atOnce(200, () => api.post(newSubject('user_1')));

    expect(kindsOf(answers)).toEqual({ '201': 1, '409 DUPLICATE_SUBJECT_REFERENCE': 199 });
    const winner = answers.find(({ status }) => status === 201) as Answer;
    for (const { status, body } of answers) {
      if (status === 409) expect(body.data).toEqual({ verificationId: idOf(winner), status: 'pending' });
    }
    expect(tallyOf(server.databaseFile, clientId)).toEqual({
      rows: 1,
      used: 1,
      counted: 1,
      created: 1,
      events: 1,
    });
    expect(await usedBy(clientId)).toBe(1);
  });

  it('an active subject blocks both types: 409; references are case-sensitive', async () => {
    const { api } = await givenApi(server);
    await api.post(newSubject('user_1'));

    expectRefusal(
      await api.post({ subjectType: 'kyb', subjectReference: 'user_1' }),
      409,
      'DUPLICATE_SUBJECT_REFERENCE',
    );
    expect((await api.post(newSubject('User_1'))).status).toBe(201);
  });

  it('no subscription, a canceled or an ended one: 403 NO_ACTIVE_SUBSCRIPTION', async () => {
    const without = await givenApi(server, { plan: 'none' });
    expectRefusal(await without.api.post(newSubject('user_1')), 403, 'NO_ACTIVE_SUBSCRIPTION');

    const set = (settings: SubscriptionSettings) =>
      operate(server, ({ clients }) => clients.setSubscription(without.clientId, settings));
    await set({ plan: 'standard' });
    expect((await without.api.post(newSubject('user_1'))).status).toBe(201);
    await set({ status: 'canceled' });
    expectRefusal(await without.api.post(newSubject('user_2')), 403, 'NO_ACTIVE_SUBSCRIPTION');
    const { startsAt } = await set({ status: 'active' });
    await set({ endsAt: new Date(startsAt.getTime() + 1) });
    expectRefusal(await without.api.post(newSubject('user_2')), 403, 'NO_ACTIVE_SUBSCRIPTION');
    expect(tallyOf(server.databaseFile, without.clientId)).toEqual({
      rows: 1,
      used: 1,
      counted: 1,
      created: 1,
      events: 1,
    });
  });
});
