import { atOnce, expectRefusal, idOf, kindsOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { tallyOf } from '@countersign/test-support/installation/database-file';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

describe('Idempotency-Key', () => {
  it('repeats the first response and counts nothing', async () => {
    const { api, clientId } = await givenApi(server);
    const headers = { 'Idempotency-Key': 'order-1' };

    const first = await api.post(newSubject('user_1'), headers);
    const second = await api.post(newSubject('user_1'), headers);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([first, second].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expectRefusal(await api.post(newSubject('user_2'), headers), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(tallyOf(server.databaseFile, clientId)).toEqual({
      rows: 1,
      used: 1,
      counted: 1,
      created: 1,
      events: 1,
    });
  });

  it('50 concurrent requests create one verification', async () => {
    const { api, clientId } = await givenApi(server);

    const answers = await atOnce(50, () => api.post(newSubject('user_1'), { 'Idempotency-Key': 'order-1' }));

    expect(kindsOf(answers)).toEqual({ '201': 50 });
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
    expect(tallyOf(server.databaseFile, clientId)).toEqual({
      rows: 1,
      used: 1,
      counted: 1,
      created: 1,
      events: 1,
    });
  });

  it('is independent of other clients’ keys with the same value', async () => {
    const [ours, theirs] = [await givenApi(server), await givenApi(server)];
    const headers = { 'Idempotency-Key': 'order-1' };
    const answers = [
      await ours.api.post(newSubject('user_1'), headers),
      await theirs.api.post(newSubject('another'), headers),
    ];

    expect(kindsOf(answers)).toEqual({ '201': 2 });
    expect(answers.map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, null]);
  });
});
