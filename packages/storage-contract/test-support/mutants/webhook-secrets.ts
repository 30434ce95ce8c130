import type { SecretEntry, Storage } from '@countersign/domain/storage';
import type { StoredSecret } from '@countersign/domain/webhooks';
import { webhookSecretsSuite } from '../../src/suites/webhook-secrets.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, roundTrip, webhooks } from './patch.ts';
import { EARLY } from './webhook-state.ts';

const { countSecretsNotWrappedBy: count, listSecretsNotWrappedBy: list, replaceSecret: replace } = webhooks;

/** Leaves secrets out of the list and of the count. */
const leavesOut = (isLeftOut: (entry: SecretEntry, key: string) => boolean): Break =>
  both(
    list.override(async ({ next }, key, after, limit) =>
      (await next(key, after, ALL)).filter((entry) => !isLeftOut(entry, key)).slice(0, limit),
    ),
    count.override(
      async ({ storage }, key) =>
        (await storage.webhooks.listSecretsNotWrappedBy(key, null, ALL)).filter((entry) => !isLeftOut(entry, key))
          .length,
    ),
  );

/** The secret that is stored at present. */
async function presentOf(
  storage: Storage,
  { clientId, endpointId, which }: SecretEntry,
): Promise<StoredSecret | null> {
  const endpoint = (await storage.webhooks.list(clientId)).find(({ id }) => id === endpointId);
  const secret = endpoint?.[which] ?? null;
  return secret === null ? null : { value: secret.value, wrappedBy: secret.wrappedBy };
}

export const webhookSecretsMutants: readonly Mutant[] = mutantsOf(webhookSecretsSuite, {
  'ignores the case of a key': leavesOut(
    ({ stored }, key) => stored.wrappedBy?.toLowerCase() === key.toLowerCase(),
  ),
  'ends the previous secret': replace.override(async ({ next, storage }, entry, secret) => {
    const result = await next(entry, secret);
    const { clientId, endpointId, which } = entry;
    if (result.outcome === 'replaced' && which === 'previousSecret') {
      const previousSecret = { ...secret, validUntil: EARLY };
      await storage.webhooks.change(clientId, endpointId, { previousSecret }, EARLY);
    }
    return result;
  }),
  'replaces both secrets': replace.override(async ({ next, storage }, entry, secret) => {
    const result = await next(entry, secret);
    if (result.outcome === 'replaced')
      await storage.webhooks.change(entry.clientId, entry.endpointId, { secret }, EARLY);
    return result;
  }),
  'replaces no secret that is not encrypted': replace.override(async ({ next }, entry, secret) =>
    entry.stored.wrappedBy === null ? { outcome: 'conflict' } : next(entry, secret),
  ),
  'compares, then replaces': replace.override(async ({ next, storage }, entry, secret) => {
    const present = await presentOf(storage, entry);
    await roundTrip();
    const isSame = present?.value === entry.stored.value && present.wrappedBy === entry.stored.wrappedBy;
    if (!isSame || entry.which !== 'secret') return next(entry, secret);
    await storage.webhooks.change(entry.clientId, entry.endpointId, { secret }, EARLY);
    return { outcome: 'replaced' };
  }),
});
