import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { UPLOADS_AT_ONCE } from '../evidence/evidence-file.ts';
import type { ClientMode } from '../subscription/client-mode.ts';
import type { Plan, Subscription } from '../subscription/subscription.ts';
import { createRateLimits, type RateLimits } from './rate-limit-policy.ts';
import type { RateLimit } from './rate-limiter.ts';

const RATES = { standard: 11, enterprise: 22, anonymous: 33, signedIn: 44 };
const DECISION = { allowed: true, limit: 1, remaining: 0, resetAt: NOW };

let counted: [bucket: string, limit: RateLimit][];
let limits: RateLimits;

beforeEach(() => {
  counted = [];
  const rateLimiter = {
    consume: async (bucket: string, limit: RateLimit) => {
      counted.push([bucket, limit]);
      return DECISION;
    },
    giveBack: async () => undefined,
  };
  limits = createRateLimits({ rateLimiter, clock: { now: () => NOW } }, RATES);
});

function subscription(plan: Plan, endsAt: Date | null = null): Subscription {
  return { plan, status: 'active', monthlyLimit: null, startsAt: NOW, endsAt };
}

const ofClient =
  (current: Subscription | null, mode: ClientMode = 'live') =>
  (on: RateLimits) =>
    on.forClient({ clientId: 'client-1', subscription: current, mode });

describe('the bucket and the limit of a request', () => {
  it.each<
    [caller: string, count: (on: RateLimits) => Promise<unknown>, string, requests: number, seconds: number]
  >([
    ['a client on Standard', ofClient(subscription('standard')), 'client:client-1', 11, 60],
    ['a client on Enterprise', ofClient(subscription('enterprise')), 'client:client-1', 22, 60],
    ['a client without a subscription', ofClient(null), 'client:client-1', 11, 60],
    [
      'a client whose Enterprise subscription has ended',
      ofClient(subscription('enterprise', NOW)),
      'client:client-1',
      11,
      60,
    ],
    ['a test client', ofClient(null, 'test'), 'client:client-1', 11, 60],
    [
      'a test client with an Enterprise subscription',
      ofClient(subscription('enterprise'), 'test'),
      'client:client-1',
      11,
      60,
    ],
    ['an address', (on) => on.forAddress('::ffff:192.0.2.1'), 'address:192.0.2.1', 33, 60],
    ['an invalid link', (on) => on.forInvalidLink('2001:db8::1'), 'link:2001:db8:0:0::/64', 33, 60],
    ['a logo', (on) => on.forLogo('192.0.2.1'), 'logo:192.0.2.1', 33, 60],
    ['a subject', (on) => on.forSubject('verification-1'), 'subject:verification-1', 300, 60],
    ['a signed-in user', (on) => on.forUser('user-1'), 'user:user-1', 44, 60],
    ['an upload', (on) => on.forUpload('verification-1'), 'upload:verification-1', 40, 300],
  ])('%s', async (_caller, count, bucket, requests, windowSeconds) => {
    expect(await count(limits)).toBe(DECISION);
    expect(counted).toEqual([[bucket, { requests, windowSeconds }]]);
  });
});

describe('uploads of a verification that run at the same time', () => {
  const tooMany = expect.objectContaining({ code: 'TOO_MANY_UPLOADS', data: { retryAfterSeconds: 10 } }) as Error;
  const begin = (count: number) => Array.from({ length: count }, () => limits.beginUpload('verification-1'));

  it('uploads of a verification that run at the same time are refused above the limit, which is for each verification', () => {
    begin(UPLOADS_AT_ONCE);
    expect(() => limits.beginUpload('verification-1')).toThrow(tooMany);
    expect(() => limits.beginUpload('verification-2')).not.toThrow();
  });

  it('leave their place when they end, one each', () => {
    const [end] = begin(UPLOADS_AT_ONCE);
    end?.();
    // An end that is reported twice counts once.
    end?.();
    begin(1);
    expect(() => limits.beginUpload('verification-1')).toThrow(tooMany);
  });

  it('leave no trace when all have ended', () => {
    for (const end of begin(UPLOADS_AT_ONCE)) end();
    begin(UPLOADS_AT_ONCE);
    expect(() => limits.beginUpload('verification-1')).toThrow(tooMany);
  });
});
