import { describe, expect, it } from 'vitest';
import { type ApiKey, listedKey } from '../access/api-key.ts';
import { NO_RELEASE } from '../exports/export-request.ts';
import { attentionOf, isFailing, type RefusingEndpoint } from './attention.ts';

const NOW = new Date('2026-03-31T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number, ms = 0): Date => new Date(NOW.getTime() - days * DAY_MS + ms);

const NONE = { endpoints: null, keys: null, copies: null };

const anEndpoint = (given: Partial<RefusingEndpoint> = {}): RefusingEndpoint => ({
  id: 'endpoint-1',
  name: 'Shop',
  url: 'https://shop.example/hooks',
  state: 'active',
  failingSince: daysAgo(1),
  refused: { count: 14, isExact: true },
  ...given,
});

const aKey = (given: Partial<ApiKey> = {}) =>
  listedKey(
    {
      id: 'key-1',
      clientId: 'client-1',
      name: 'Shop',
      hash: '',
      display: 'csk_ab12…cd34',
      permissions: ['*'],
      networks: [],
      createdAt: daysAgo(90),
      createdBy: null,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: daysAgo(1),
      noticedDays: null,
      ...given,
    },
    NOW,
  );

const idsOf = (keys: readonly ReturnType<typeof aKey>[]) =>
  attentionOf({ ...NONE, keys }, NOW).map((item) => ('keyId' in item ? `${item.kind} ${item.keyId}` : item.kind));

const aCopy = (requestedAt: Date) => ({
  ...NO_RELEASE,
  id: 'export-1',
  clientId: 'client-1',
  verificationId: 'verification-1',
  requestedBy: 'subject' as const,
  requestedAt,
});

describe('what needs attention', () => {
  it('nothing needs attention where all is well, and where the user may act on nothing', () => {
    const sound = { endpoints: [anEndpoint({ failingSince: null })], keys: [aKey()] };
    expect(attentionOf({ ...sound, copies: { exports: [], hasMore: false } }, NOW)).toEqual([]);
    expect(attentionOf(NONE, NOW)).toEqual([]);
  });

  it('an endpoint that fails needs attention, active or paused, and not one that is disabled', () => {
    const endpoints = [
      anEndpoint(),
      anEndpoint({ id: 'endpoint-2', name: '', state: 'paused', failingSince: daysAgo(5) }),
      anEndpoint({ id: 'endpoint-3', state: 'disabled' }),
      anEndpoint({ id: 'endpoint-4', state: 'paused', failingSince: null }),
    ];
    expect(endpoints.map(isFailing)).toEqual([true, true, false, false]);
    const url = 'https://shop.example/hooks';
    const refused = { count: 14, isExact: true };
    expect(attentionOf({ ...NONE, endpoints }, NOW)).toEqual([
      {
        kind: 'endpoint_failing',
        endpointId: 'endpoint-2',
        name: '',
        url,
        since: daysAgo(5),
        isPaused: true,
        refused,
      },
      {
        kind: 'endpoint_failing',
        endpointId: 'endpoint-1',
        name: 'Shop',
        url,
        since: daysAgo(1),
        isPaused: false,
        refused,
      },
    ]);
  });

  it('an active key needs attention that expires in 7 days or sooner, the first to expire first', () => {
    const keys = [
      aKey({ id: 'in-7', expiresAt: daysAgo(-7) }),
      aKey({ id: 'in-8', expiresAt: daysAgo(-7, 1) }),
      aKey({ id: 'in-1', expiresAt: daysAgo(0, 1), lastUsedAt: null }),
      aKey({ id: 'expired', expiresAt: NOW }),
      aKey({ id: 'revoked', expiresAt: daysAgo(-1), revokedAt: daysAgo(2) }),
    ];
    expect(idsOf(keys)).toEqual(['key_expiring in-1', 'key_expiring in-7']);
    expect(attentionOf({ ...NONE, keys: keys.slice(0, 1) }, NOW)).toEqual([
      {
        kind: 'key_expiring',
        keyId: 'in-7',
        name: 'Shop',
        display: 'csk_ab12…cd34',
        expiresAt: daysAgo(-7),
        expiresInDays: 7,
      },
    ]);
  });

  it('an active key of 30 days or more that was never used needs attention', () => {
    const unused = { lastUsedAt: null };
    const keys = [
      aKey({ ...unused, id: '30', createdAt: daysAgo(30) }),
      aKey({ ...unused, id: '29', createdAt: daysAgo(30, 1) }),
      aKey({ ...unused, id: '90' }),
      aKey({ id: 'used' }),
      aKey({ ...unused, id: 'revoked', revokedAt: daysAgo(1) }),
      aKey({ ...unused, id: 'expired', expiresAt: daysAgo(1) }),
    ];
    expect(idsOf(keys)).toEqual(['key_unused 90', 'key_unused 30']);
  });

  it('all requests for copies are one item, with the oldest if all are counted', () => {
    const exports = [aCopy(daysAgo(1)), aCopy(daysAgo(3)), aCopy(daysAgo(2))];
    expect(attentionOf({ ...NONE, copies: { exports, hasMore: false } }, NOW)).toEqual([
      { kind: 'copies_requested', count: { count: 3, isExact: true }, since: daysAgo(3) },
    ]);
    expect(attentionOf({ ...NONE, copies: { exports, hasMore: true } }, NOW)).toEqual([
      { kind: 'copies_requested', count: { count: 3, isExact: false }, since: null },
    ]);
  });

  it('begins with what fails, and ends with copies', () => {
    const items = attentionOf(
      {
        endpoints: [anEndpoint()],
        keys: [aKey({ lastUsedAt: null }), aKey({ expiresAt: daysAgo(-1) })],
        copies: { exports: [aCopy(NOW)], hasMore: false },
      },
      NOW,
    );
    expect(items.map(({ kind }) => kind)).toEqual([
      'endpoint_failing',
      'key_expiring',
      'key_unused',
      'copies_requested',
    ]);
  });
});
