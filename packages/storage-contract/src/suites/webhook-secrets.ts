import type { SecretEntry, Storage } from '@countersign/domain/storage';
import type { StoredSecret } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId, endpointId, minute } from '../records/ids.ts';
import { endpointNow, expectWebhooksUnchanged, givenEndpoint } from '../records/webhooks.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const sealed = (value: string, wrappedBy: string | null): StoredSecret => ({ value, wrappedBy });
const VALID_UNTIL = minute(900, 9);

/** Three endpoints of two clients: six secrets, three of them encrypted by key-1, two by key-2, one not encrypted. */
async function givenSecrets(storage: Storage): Promise<void> {
  await givenClient(storage);
  await givenClient(storage, 2);
  await givenEndpoint(storage, 3, { secret: sealed('3-new', 'key-1') });
  await givenEndpoint(storage, 1, {
    secret: sealed('1-new', 'key-2'),
    previousSecret: { ...sealed('1-old', 'key-1'), validUntil: VALID_UNTIL },
    olderSecret: { ...sealed('1-older', 'key-1'), validUntil: VALID_UNTIL },
  });
  await givenEndpoint(storage, 2, {
    clientId: clientId(2),
    secret: sealed('2-new', 'key-2'),
    previousSecret: { ...sealed('2-old', null), validUntil: VALID_UNTIL },
  });
}

const ENTRIES: readonly SecretEntry[] = [
  entry(1, 'olderSecret', '1-older', 'key-1'),
  entry(1, 'previousSecret', '1-old', 'key-1'),
  entry(1, 'secret', '1-new', 'key-2'),
  entry(2, 'previousSecret', '2-old', null),
  entry(2, 'secret', '2-new', 'key-2'),
  entry(3, 'secret', '3-new', 'key-1'),
];

function entry(n: number, which: SecretEntry['which'], value: string, wrappedBy: string | null): SecretEntry {
  return { clientId: clientId(n === 2 ? 2 : 1), endpointId: endpointId(n), which, stored: { value, wrappedBy } };
}

const [OLDER_OF_1, OLD_OF_1, NEW_OF_1] = [
  entry(1, 'olderSecret', '1-older', 'key-1'),
  entry(1, 'previousSecret', '1-old', 'key-1'),
  entry(1, 'secret', '1-new', 'key-2'),
];

/** Secrets as a rotation of keys reads and replaces them. */
export const webhookSecretsSuite: Suite = suiteGiven('webhook secrets', givenSecrets, {
  'secrets: counts and lists those that another key encrypted, and those not encrypted': async (storage) => {
    const { webhooks } = storage;
    for (const key of ['key-1', 'key-2', 'KEY-1', '']) {
      const expected = ENTRIES.filter(({ stored }) => stored.wrappedBy !== key);
      expect(await webhooks.listSecretsNotWrappedBy(key, null, 100), key).toEqual(expected);
      expect(await webhooks.countSecretsNotWrappedBy(key), key).toBe(expected.length);
    }
  },

  'secrets: pages come by endpoint, the oldest secret first': async ({ webhooks }) => {
    const page = (after: number | null, limit: number, key = 'key-3') =>
      webhooks.listSecretsNotWrappedBy(key, after === null ? null : (ENTRIES[after] ?? null), limit);

    expect(await page(null, 1)).toEqual(ENTRIES.slice(0, 1));
    expect(await page(0, 2)).toEqual(ENTRIES.slice(1, 3));
    expect(await page(1, 2)).toEqual(ENTRIES.slice(2, 4));
    expect(await page(2, 9)).toEqual(ENTRIES.slice(3));
    expect(await page(5, 9)).toEqual([]);
    // A page may start after a secret that is not listed.
    expect(await page(1, 9, 'key-1')).toEqual(ENTRIES.slice(2, 5));
    expect(
      await webhooks.listSecretsNotWrappedBy('key-3', { endpointId: endpointId(0), which: 'secret' }, 1),
    ).toEqual(ENTRIES.slice(0, 1));
  },

  'replaceSecret: replaces one secret and keeps its end': async (storage) => {
    const before = await endpointNow(storage);

    expect(await storage.webhooks.replaceSecret(OLD_OF_1, sealed('1-re-wrapped', 'key-2'))).toEqual({
      outcome: 'replaced',
    });
    const previousSecret = { ...sealed('1-re-wrapped', 'key-2'), validUntil: VALID_UNTIL };
    expect(await endpointNow(storage)).toEqual({ ...before, previousSecret });

    expect(await storage.webhooks.replaceSecret(OLDER_OF_1, sealed('1-older re-wrapped', 'key-2'))).toEqual({
      outcome: 'replaced',
    });
    const olderSecret = { ...sealed('1-older re-wrapped', 'key-2'), validUntil: VALID_UNTIL };
    expect(await endpointNow(storage)).toEqual({ ...before, previousSecret, olderSecret });

    expect(await storage.webhooks.replaceSecret(NEW_OF_1, sealed('1-new', 'key-3'))).toEqual({
      outcome: 'replaced',
    });
    const secret = sealed('1-new', 'key-3');
    expect(await endpointNow(storage)).toEqual({ ...before, previousSecret, olderSecret, secret });
    const left = await storage.webhooks.listSecretsNotWrappedBy('key-2', null, 9);
    expect(left.map((each) => [each.endpointId, each.which])).toEqual([
      [endpointId(1), 'secret'],
      [endpointId(2), 'previousSecret'],
      [endpointId(3), 'secret'],
    ]);
  },

  'replaceSecret: encrypts a secret that was not encrypted': async (storage) => {
    const plain = entry(2, 'previousSecret', '2-old', null);

    expect(await storage.webhooks.replaceSecret(plain, sealed('2-sealed', 'key-2'))).toEqual({
      outcome: 'replaced',
    });

    const { previousSecret } = await endpointNow(storage, 2, 2);
    expect(previousSecret).toEqual({ ...sealed('2-sealed', 'key-2'), validUntil: VALID_UNTIL });
  },

  'replaceSecret: answers conflict if the stored secret is another one': async (storage) => {
    const { stored } = NEW_OF_1;
    await expectWebhooksUnchanged(storage, async () => {
      for (const wrong of [
        { ...NEW_OF_1, stored: { ...stored, value: '1-NEW' } },
        { ...NEW_OF_1, stored: { ...stored, wrappedBy: 'key-1' } },
        { ...NEW_OF_1, stored: { ...stored, wrappedBy: null } },
        { ...NEW_OF_1, which: 'previousSecret' as const },
        { ...OLD_OF_1, which: 'olderSecret' as const },
        { ...NEW_OF_1, clientId: clientId(2) },
        { ...NEW_OF_1, endpointId: endpointId(7) },
        entry(3, 'previousSecret', '3-new', 'key-1'),
      ]) {
        const outcome = await storage.webhooks.replaceSecret(wrong, sealed('other', 'key-9'));
        expect(outcome, JSON.stringify(wrong)).toEqual({ outcome: 'conflict' });
      }
    });
  },

  'replaceSecret: of many at once, one replaces': async (storage) => {
    const outcomes = await atOnce(20, (n) =>
      storage.webhooks.replaceSecret(NEW_OF_1, sealed(`new-${n}`, 'key-9')),
    );

    expect(tally(outcomes)).toEqual({ replaced: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'replaced');
    expect((await endpointNow(storage)).secret).toEqual(sealed(`new-${winner}`, 'key-9'));
  },

  'replaceSecret: loses against a rotation of the secret': async (storage) => {
    const change = { secret: sealed('rotated', 'key-2'), previousSecret: null } as const;
    await storage.webhooks.change(clientId(1), endpointId(1), change, minute(1));

    expect(await storage.webhooks.replaceSecret(NEW_OF_1, sealed('other', 'key-9'))).toEqual({
      outcome: 'conflict',
    });

    expect(await endpointNow(storage)).toMatchObject(change);
  },
});
