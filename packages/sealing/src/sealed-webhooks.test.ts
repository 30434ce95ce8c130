import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import type { WebhookRepository } from '@countersign/domain/storage';
import { signingSecrets, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { createMemoryStorage } from '@countersign/memory';
import { beforeEach, expect, test } from 'vitest';
import { NEW, OLD } from '../test-support/keys.ts';
import { createKeyRing } from './key-ring.ts';
import type { RotationProgress } from './rewrap-all.ts';
import { createSealedWebhooks, rotateWebhookSecrets } from './sealed-webhooks.ts';
import { SealingError } from './sealing-error.ts';

const oldRing = createKeyRing([OLD]);
const bothRing = createKeyRing([NEW, OLD]);
const newRing = createKeyRing([NEW]);
const NOW = new Date('2026-03-10T12:00:00Z');
const CLIENT = 'client-1';

const endpoint = (n: number, clientId = CLIENT): WebhookEndpoint => ({
  id: `endpoint-${n}`,
  clientId,
  url: `https://shop.example/${n}`,
  name: '',
  types: ['verification.approved'],
  state: 'active',
  since: NOW,
  createdAt: new Date(NOW.getTime() + n),
  createdBy: null,
  secret: { value: `whsec_present-${n}`, wrappedBy: null },
  secretVersion: 3,
  previousSecret: { value: `whsec_previous-${n}`, wrappedBy: null, validUntil: new Date(NOW.getTime() + 1) },
  olderSecret: { value: `whsec_older-${n}`, wrappedBy: null, validUntil: NOW },
  failingSince: null,
});

let raw: WebhookRepository;
let sealed: WebhookRepository;
beforeEach(async () => {
  const storage = createMemoryStorage();
  for (const id of [CLIENT, 'client-2']) {
    await storage.clients.create({
      client: {
        id,
        name: id,
        createdAt: NOW,
        returnAddresses: [],
        testOf: null,
        fileAccess: false,
        flowSettings: NEW_FLOW_SETTINGS,
        reasonTemplates: NO_TEMPLATES,
      },
      subscription: null,
    });
  }
  raw = storage.webhooks;
  sealed = createSealedWebhooks(raw, oldRing);
});

const valuesOf = (one: WebhookEndpoint | undefined): (string | undefined)[] => [
  one?.secret.value,
  one?.previousSecret?.value,
  one?.olderSecret?.value,
];

/** Changes what is stored, as an attacker could. */
async function store(n: number, change: Pick<WebhookEndpoint, 'secret'>): Promise<void> {
  expect(await raw.change(CLIENT, `endpoint-${n}`, change, NOW)).toMatchObject({ outcome: 'changed' });
}

test('secrets: stored encrypted by the newest key, and returned as they were given', async () => {
  await sealed.add(endpoint(1));

  expect(await sealed.list(CLIENT)).toEqual([endpoint(1)]);
  const [stored] = await raw.list(CLIENT);
  const { secret, previousSecret, olderSecret } = stored ?? {};
  const keys = [secret, previousSecret, olderSecret].map((each) => each?.wrappedBy);
  expect(keys).toEqual(Array.from({ length: 3 }, () => oldRing.newest));
  expect(JSON.stringify(stored)).not.toContain('whsec_');
  expect(await sealed.countSecretsNotWrappedBy(oldRing.newest)).toBe(0);
});

test('secrets: a change stores the new ones encrypted and returns them', async () => {
  await sealed.add(endpoint(1));
  const { secret, previousSecret, olderSecret } = endpoint(2);
  const change = { secret, previousSecret, olderSecret };

  const changed = await sealed.change(CLIENT, 'endpoint-1', change, NOW, { secretVersion: 3 });

  expect(changed).toEqual({ outcome: 'changed', endpoint: { ...endpoint(1), ...change } });
  expect(JSON.stringify(await raw.list(CLIENT))).not.toContain('whsec_');
  const unexpected = await sealed.change(CLIENT, 'endpoint-1', { secret }, NOW, { secretVersion: 2 });
  expect(unexpected).toEqual({ outcome: 'conflict' });
  const without = await sealed.change(CLIENT, 'endpoint-1', { name: 'Shop', previousSecret: null }, NOW);
  expect(without).toMatchObject({ endpoint: { name: 'Shop', secret, previousSecret: null } });
});

test.each([
  ['of another endpoint', async () => (await raw.list(CLIENT))[1]?.secret, 'DAMAGED'],
  ['of another client', async () => (await raw.list('client-2'))[0]?.secret, 'DAMAGED'],
  [
    'with a changed letter',
    async () => {
      const [one] = await raw.list(CLIENT);
      const value = one?.secret.value ?? '';
      return one && { ...one.secret, value: (value.startsWith('A') ? 'B' : 'A') + value.slice(1) };
    },
    'DAMAGED',
  ],
  ['as plain text', async () => ({ value: 'whsec_foreign', wrappedBy: null }), 'NOT_SEALED'],
])('secrets: one %s is refused, and stops no other endpoint', async (_, forged, code) => {
  for (const n of [1, 2]) await sealed.add(endpoint(n));
  await sealed.add(endpoint(3, 'client-2'));
  const secret = await forged();
  expect(secret).toBeDefined();
  if (secret !== undefined) await store(1, { secret });

  const [damaged, other] = await sealed.list(CLIENT);

  expect(() => damaged?.secret.value).toThrow(SealingError);
  expect(() => damaged?.secret.value).toThrow(expect.objectContaining({ code, endpointId: 'endpoint-1' }));
  expect(() => damaged?.secret.value).toThrow('webhook endpoint endpoint-1');
  expect(damaged?.previousSecret?.value).toBe('whsec_previous-1');
  expect(other).toEqual(endpoint(2));
});

test('secrets: with a lost key each is unavailable by itself, and nothing is sent unsigned', async () => {
  await sealed.add(endpoint(1));
  const [unreadable] = await createSealedWebhooks(raw, newRing).list(CLIENT);

  expect(unreadable).toMatchObject({ id: 'endpoint-1', state: 'active' });
  const secrets = unreadable && signingSecrets(unreadable, NOW);
  expect(() => secrets?.map(({ value }) => value)).toThrow(
    expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      cause: expect.objectContaining({ code: 'UNKNOWN_KEY', endpointId: 'endpoint-1' }),
    }),
  );
});

test('rotation: afterwards the newest key alone opens every secret, plain ones included', async () => {
  for (const n of [1, 2, 3]) await sealed.add(endpoint(n));
  await raw.add(endpoint(4));

  const result = await rotateWebhookSecrets({ webhooks: raw, keys: bothRing, pageSize: 3 });

  expect(result).toEqual({ rewrapped: 12 });
  const readable = await createSealedWebhooks(raw, newRing).list(CLIENT);
  expect(readable).toEqual([1, 2, 3, 4].map((n) => endpoint(n)));
});

test('rotation: continues after an interruption', async () => {
  for (const n of [1, 2, 3]) await sealed.add(endpoint(n));
  let left = 2;
  const dying: WebhookRepository = {
    ...raw,
    replaceSecret: async (...given) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return raw.replaceSecret(...given);
    },
  };
  await expect(rotateWebhookSecrets({ webhooks: dying, keys: bothRing, pageSize: 1 })).rejects.toThrow('killed');

  expect(await rotateWebhookSecrets({ webhooks: raw, keys: bothRing })).toEqual({ rewrapped: 7 });
  expect(await raw.countSecretsNotWrappedBy(bothRing.newest)).toBe(0);
});

test('rotation: a damaged secret does not stop the others, and is named', async () => {
  for (const n of [1, 2]) await sealed.add(endpoint(n));
  await store(1, { secret: { value: 'AAAA', wrappedBy: oldRing.newest } });

  const rotation = rotateWebhookSecrets({ webhooks: raw, keys: bothRing });

  await expect(rotation).rejects.toMatchObject({
    code: 'ROTATION_INCOMPLETE',
    message: expect.stringContaining(
      '1 webhook secret cannot be unwrapped. The secret of webhook endpoint endpoint-1',
    ),
  });
  expect(await raw.countSecretsNotWrappedBy(bothRing.newest)).toBe(1);
  expect(valuesOf((await createSealedWebhooks(raw, newRing).list(CLIENT))[1])).toEqual(valuesOf(endpoint(2)));
});

test('rotation: reports how many secrets are re-wrapped, of how many', async () => {
  for (const n of [1, 2]) await sealed.add(endpoint(n));
  const reports: RotationProgress[] = [];
  await rotateWebhookSecrets({
    webhooks: raw,
    keys: bothRing,
    pageSize: 4,
    onProgress: (at) => reports.push(at),
  });
  expect(reports).toEqual([0, 4, 6].map((done) => ({ done, total: 6 })));
});

test('rotation: secrets whose wrapping key is lost for good are left as they are, and the rotation is complete', async () => {
  await sealed.add(endpoint(1));
  const stored = await raw.list(CLIENT);
  const rotation = { webhooks: raw, keys: newRing };
  await expect(rotateWebhookSecrets(rotation)).rejects.toMatchObject({ code: 'ROTATION_INCOMPLETE' });
  expect(await rotateWebhookSecrets({ ...rotation, lostKeys: [oldRing.newest] })).toEqual({ rewrapped: 0 });
  expect(await raw.list(CLIENT)).toEqual(stored);
});

test('a sealed repository passes counts and lists of wrapped secrets through unchanged', async () => {
  for (const n of [1, 2]) await sealed.add(endpoint(n));
  const stored = await raw.listSecretsNotWrappedBy(newRing.newest, null, 10);
  expect(stored).toHaveLength(6);
  expect(await sealed.listSecretsNotWrappedBy(newRing.newest, null, 10)).toEqual(stored);
  expect(await sealed.listSecretsNotWrappedBy(newRing.newest, stored[1] ?? null, 2)).toEqual(stored.slice(2, 4));
  expect(await sealed.countSecretsNotWrappedBy(newRing.newest)).toBe(6);
});
