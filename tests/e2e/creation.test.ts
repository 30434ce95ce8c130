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
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { startServer } from '@countersign/test-support/processes/server-process';
import { expect, it } from 'vitest';

const totalOf = ({ body }: Answer) => (body.data?.pagination as { totalCount: number } | undefined)?.totalCount;

it('POST /verifications, 200 times concurrently: creates exactly as many as the monthly limit allows', async () => {
  const server = await startServer();
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
  const clients = await countersignHere<{ id: string; usage: { used: number } }[]>(['client', 'list'], server.env);
  expect(clients.find(({ id }) => id === clientId)?.usage.used).toBe(100);
  expectRefusal(await api.post(newSubject('one more')), 403, 'LIMIT_EXCEEDED');
});
