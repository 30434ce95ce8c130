// What the actions of a client's team pass on, and what the audit log keeps of them.
import { beforeEach, expect, test } from 'vitest';
import { actionsAs, OWNER } from '../../test-support/actions.ts';
import { aClient } from '../../test-support/client.ts';
import { nothingRecorded, type RecordedActions } from '../../test-support/recorded-actions.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { ApiKey } from '../access/api-key.ts';
import type { ApiRequest } from '../access/recent-requests.ts';
import { issueApiKey, listApiRequests } from './api-keys.ts';
import { changeAppearance } from './appearance.ts';
import { changeReturnAddresses } from './clients.ts';
import { listExports } from './exports.ts';
import { changeReasonTemplates } from './reason-templates.ts';

let recorded: RecordedActions;

beforeEach(() => {
  recorded = nothingRecorded();
});

const asOwner = (services: object) => actionsAs(OWNER, recorded, services);

const KEY: ApiKey = {
  id: 'key-1',
  clientId: 'client-1',
  name: 'shop',
  hash: 'hash of key-1',
  display: 'csk_ab12…cd34',
  permissions: ['*'],
  networks: [],
  createdAt: NOW,
  createdBy: null,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  noticedDays: null,
};

test('listApiRequests: each request of the client has the name of its key, or none if the key is gone', async () => {
  const request: ApiRequest = {
    answeredAt: NOW,
    requestId: 'request-1',
    method: 'GET',
    route: '/verifications/{id}',
    status: 200,
    code: null,
    durationMs: 3,
    keyId: KEY.id,
  };
  const gone = { ...request, requestId: 'request-2', keyId: 'key-2' };
  const { run } = asOwner({
    apiKeys: { list: async () => [KEY] },
    recentRequests: { of: (clientId: string) => (clientId === 'client-1' ? [request, gone] : []) },
  });
  expect(await run(listApiRequests, {})).toEqual([
    { ...request, key: { name: 'shop', display: 'csk_ab12…cd34' } },
    { ...gone, key: undefined },
  ]);
});

test.each([
  [[], {}],
  [['203.0.113.0/24', '2001:db8::/32'], { networks: 2 }],
])('issueApiKey: of the networks %j, the audit log keeps their number alone', async (networks, kept) => {
  const issue = async () => ({ key: { ...KEY, networks }, value: 'secret' });
  const { run } = asOwner({ apiKeys: { issue } });
  await run(issueApiKey, { name: 'shop', permissions: ['*'], networks });
  expect(recorded.made).toStrictEqual([{ targetId: 'key-1', detail: { display: 'csk_ab12…cd34', ...kept } }]);
});

test('changeAppearance: the audit log keeps which details are set, and no value', async () => {
  const { run } = asOwner({ appearances: { change: async () => undefined } });
  await run(changeAppearance, { displayName: 'Shop', colour: undefined, supportAddress: 'help@shop.example' });
  expect(recorded.ran.map(({ detail }) => detail)).toEqual([{ set: 'displayName,supportAddress' }]);
});

test('changeReturnAddresses: the rules of addresses get them without the spaces around them, and refuse the change', async () => {
  const issue = { path: 'returnAddresses.0', message: 'must be an address', code: 'invalid' };
  const checked: unknown[] = [];
  const returnAddressIssues = (addresses: unknown) => {
    checked.push(addresses);
    return [issue];
  };
  const { run } = asOwner({ clients: { returnAddressIssues } });
  await expect(run(changeReturnAddresses, { returnAddresses: [' https://shop.example '] })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    data: { issues: [issue] },
  });
  expect(checked).toEqual([['https://shop.example']]);
});

test('changeReasonTemplates: the audit log keeps how many templates each decision has', async () => {
  const { run } = asOwner({ clients: { setReasonTemplates: async () => aClient() } });
  await run(changeReasonTemplates, { ask: [{ name: 'Glare', en: 'Avoid glare.' }] });
  await run(changeReasonTemplates, { reject: [{ name: 'Expired', en: 'It has expired.' }] });
  expect(recorded.ran.map(({ detail }) => detail)).toEqual([
    { ask: 1, reject: 0 },
    { ask: 0, reject: 1 },
  ]);
});

test('listExports: a team lists the exports of its own client, whether it names the client or not', async () => {
  const asked: unknown[] = [];
  const list = async (request: unknown) => {
    asked.push(request);
    return { exports: [], next: null };
  };
  const { run } = asOwner({ exports: { list } });
  await run(listExports, {});
  await run(listExports, { clientId: 'client-1', waiting: true });
  await expect(run(listExports, { clientId: 'client-2' })).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
  expect(asked).toEqual([{ clientId: 'client-1' }, { clientId: 'client-1', waiting: true }]);
});
