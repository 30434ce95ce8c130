import {
  type Countersign,
  createCountersign,
  type Principal,
  type Secrets,
  type Storage,
  type Subscription,
} from '@countersign/domain';
import { clientId, minute, serviceId } from './ids.ts';

/** The domain itself over the storage under test, with time that moves a second at every look, and counted ids. */
export function serviceOver(storage: Storage): Countersign {
  let ids = 0;
  let seconds = 0;
  return createCountersign(
    {
      storage,
      rateLimiter: {
        consume: async (_bucket, { requests }) => ({
          allowed: true,
          limit: requests,
          remaining: 1,
          resetAt: minute(1),
        }),
      },
      clock: {
        now: () => {
          seconds += 1;
          return minute(0, seconds * 1_000);
        },
      },
      ids: {
        next: () => {
          ids += 1;
          return serviceId(ids);
        },
      },
      secrets,
    },
    { publicBaseUrl: 'https://verify.example' },
  );
}

/** A request by one of the client's keys that may do everything. */
export function principalOf(subscription: Subscription, n = 1): Principal {
  return { clientId: clientId(n), keyId: serviceId(0), permissions: ['*'], subscription };
}

/** Nothing secret and no real hashes: just what keeps texts apart, so that the kit needs no runtime's own library. */
const secrets: Secrets = {
  randomHex: (bytes) => '0'.repeat(2 * bytes),
  sha256: (text) => hexOf(text).repeat(8),
  sign: hexOf,
  verify: (text, signature) => signature === hexOf(text),
};

function hexOf(text: string): string {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(16).padStart(8, '0');
}
