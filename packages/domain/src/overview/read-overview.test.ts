import { expect, it } from 'vitest';
import { NO_RELEASE } from '../exports/export-request.ts';
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
