import { expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { portWith } from '../../test-support/port-with.ts';
import type { ListedKey } from '../access/api-key.ts';
import { NO_RELEASE } from '../exports/export-request.ts';
import { usageOf } from '../subscription/monthly-limit.ts';
import type { VerificationRecord } from '../verification/verification-record.ts';
import type { ListedEndpoint } from '../webhooks/manage-webhooks.ts';
import { createReadOverview } from './read-overview.ts';

const NOW = new Date('2026-03-31T12:00:00.000Z');
const unread = () => Promise.reject(new Error('is not read here'));

it.each([
  [null, true],
  ['export-1', false],
])(
  'attention: copies that wait are counted; with the next page %j, the count is exact: %s',
  async (next, isExact) => {
    const [id, clientId, verificationId] = ['export-1', 'client-1', 'verification-1'];
    const copy = {
      ...NO_RELEASE,
      id,
      clientId,
      verificationId,
      requestedBy: 'subject',
      requestedAt: NOW,
    } as const;
    const { attention } = createReadOverview({
      clients: { get: unread, testTwin: unread, usage: unread },
      apiKeys: { overview: unread },
      webhooks: { overview: unread },
      webhookLog: { refused: unread },
      exports: { list: async ({ waiting }) => ({ exports: waiting ? [copy] : [], next }) },
      verifications: { browse: unread },
      clock: { now: () => NOW },
    });
    const items = await attention(clientId, { endpoints: false, keys: false, copies: true });
    expect(items).toMatchObject([{ kind: 'copies_requested', count: { count: 1, isExact } }]);
  },
);

it('firstSteps: the test twin of a client in full use is neither read nor created', async () => {
  const key = portWith<ListedKey>({ state: 'active', createdBy: 'user-1' });
  const endpoint = portWith<ListedEndpoint>({ state: 'active' });
  const { firstSteps } = createReadOverview({
    clients: {
      get: async () => ({ client: aClient(), subscription: null }),
      testTwin: unread,
      usage: async () => usageOf({ subscription: null, mode: 'test' }, 1, NOW),
    },
    apiKeys: { overview: async () => ({ keys: [key], active: 1, limit: 1 }) },
    webhooks: { overview: async () => ({ endpoints: [endpoint], limit: 1 }) },
    webhookLog: { refused: unread },
    exports: { list: unread },
    verifications: { browse: async () => ({ records: [portWith<VerificationRecord>({})], totalCount: 1 }) },
    clock: { now: () => NOW },
  });
  expect((await firstSteps('client-1')).map(({ isDone }) => isDone)).toEqual([true, true, true, true]);
});
