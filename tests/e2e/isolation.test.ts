import {
  type Answer,
  createApiClient,
  dataOf,
  expectRefusal,
  idOf,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { tallyOf } from '@countersign/test-support/installation/database-file';
import { givenKey } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

const totalOf = ({ body }: Answer) => (body.data?.pagination as { totalCount: number } | undefined)?.totalCount;

describe('another client', () => {
  it('gets the same 404 for our id as for an unknown id', async () => {
    const [ours, theirs] = [await givenApi(server), await givenApi(server)];
    const id = idOf(await ours.api.post(newSubject('user_1')));
    const unknown = `${id.slice(0, -6)}ffffff`;

    for (const suffix of ['', '/details']) {
      expect((await ours.api.get(`/verifications/${id}${suffix}`)).status).toBe(200);
      const foreign = await theirs.api.get(`/verifications/${id}${suffix}`);
      expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND');
      expect(foreign.body).toEqual((await theirs.api.get(`/verifications/${unknown}${suffix}`)).body);
    }
    const withdraw = (of: string): Promise<Answer> =>
      theirs.api.request(`/verifications/${of}/withdraw`, { method: 'POST' });
    const foreign = await withdraw(id);
    expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND');
    expect(foreign.body).toEqual((await withdraw(unknown)).body);
    expect(dataOf(await ours.api.get(`/verifications/${id}`)).status).toBe('pending');
    expect(totalOf(await theirs.api.get())).toBe(0);
    expect(totalOf(await theirs.api.get('/verifications?subjectReference=user_1'))).toBe(0);
  });

  it('can verify the same subject, counted towards its own limit', async () => {
    const [ours, theirs] = [await givenApi(server), await givenApi(server)];
    const answers = [await ours.api.post(newSubject('user_1')), await theirs.api.post(newSubject('user_1'))];

    expect(kindsOf(answers)).toEqual({ '201': 2 });
    for (const { clientId } of [ours, theirs]) expect(tallyOf(server.databaseFile, clientId).used).toBe(1);
  });
});

describe('permissions', () => {
  it('a key can do only what its permissions allow', async () => {
    const { clientId, api } = await givenApi(server);
    const id = idOf(await api.post(newSubject('user_1')));
    const creating = createApiClient(server.baseUrl, await givenKey(server, clientId, 'verifications:create'));
    const reading = createApiClient(server.baseUrl, await givenKey(server, clientId, 'verifications:read'));

    expect((await creating.post(newSubject('user_2'))).status).toBe(201);
    expectRefusal(await reading.post(newSubject('user_3')), 403, 'INSUFFICIENT_PERMISSIONS');
    for (const path of ['/verifications', `/verifications/${id}`, `/verifications/${id}/details`]) {
      expect((await reading.get(path)).status).toBe(200);
      expectRefusal(await creating.get(path), 403, 'INSUFFICIENT_PERMISSIONS');
    }
    const withdrawal = [`/verifications/${id}/withdraw`, { method: 'POST' }] as const;
    expectRefusal(await reading.request(...withdrawal), 403, 'INSUFFICIENT_PERMISSIONS');
    expect((await creating.request(...withdrawal)).status).toBe(200);
    expect(tallyOf(server.databaseFile, clientId).rows).toBe(2);
  });
});
