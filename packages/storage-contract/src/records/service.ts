import { type Countersign, createCountersign, type Principal, type Secrets } from '@countersign/domain';
import type { Subscription } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { isLeftOut, withoutStandIns } from '../left-out.ts';
import { clientId, minute, serviceId } from './ids.ts';

/** Creates the domain on the storage under test, without the parts that it lacks. Its clock advances a second with each reading; its ids are counted. */
export function serviceOver(storage: Storage): Countersign {
  let ids = 0;
  let seconds = 0;
  return createCountersign(
    {
      storage: withoutStandIns(storage),
      sealing: 'none',
      rateLimiter: {
        giveBack: async () => undefined,
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
    { publicBaseUrl: 'https://verify.example', withoutErasure: isLeftOut(storage.retention) },
  );
}

/** An API key of the client with every permission. */
export function principalOf(subscription: Subscription, n = 1): Principal {
  return {
    clientId: clientId(n),
    keyId: serviceId(0),
    permissions: ['*'],
    subscription,
    mode: 'live',
    linkDays: null,
  };
}

/** Not secret and not cryptographic, so that the kit runs without a crypto library: only different for different texts. */
const secrets: Secrets = {
  randomHex: (bytes) => '0'.repeat(2 * bytes),
  randomBase64: (bytes) => 'A'.repeat(Math.ceil(bytes / 3) * 4),
  sha256: (text) => hexOf(text).repeat(8),
  sign: hexOf,
  verify: (text, signature) => signature === hexOf(text),
  label: (key, purpose, text) => hexOf(`${key} ${purpose} ${text}`),
};

function hexOf(text: string): string {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(16).padStart(8, '0');
}
