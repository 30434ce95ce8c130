import type { SecretEntry, Storage } from '@countersign/domain/storage';
import type { StoredSecret } from '@countersign/domain/webhooks';
import { webhookSecretsSuite } from '../../src/suites/webhook-secrets.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, roundTrip, webhooks } from './patch.ts';
import { EARLY, ownerOf } from './webhook-state.ts';

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

/** Takes some of the present values for those that the caller read. */
const assumes = (change: (present: StoredSecret, stored: StoredSecret) => StoredSecret): Break =>
  replace.override(async ({ next, storage }, entry, secret) => {
    const present = await presentOf(storage, entry);
    return next(present === null ? entry : { ...entry, stored: change(present, entry.stored) }, secret);
  });

/** Lists in another order. */
const orders = (rank: (entry: SecretEntry) => string): Break =>
  list.override(async ({ next }, key, after, limit) => {
    const all = [...(await next(key, null, ALL))].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    const place = after === null ? '' : rank({ ...after, clientId: '', stored: { value: '', wrappedBy: null } });
    return all.filter((entry) => rank(entry) > place).slice(0, limit);
  });

export const webhookSecretsMutants: readonly Mutant[] = mutantsOf(webhookSecretsSuite, {
  'leaves out secrets that are not encrypted': leavesOut(({ stored }) => stored.wrappedBy === null),
  'leaves out previous secrets': leavesOut(({ which }) => which === 'previousSecret'),
  'leaves out older secrets': leavesOut(({ which }) => which === 'olderSecret'),
  'leaves out present secrets': leavesOut(({ which }) => which === 'secret'),
  'ignores the case of a key': leavesOut(
    ({ stored }, key) => stored.wrappedBy?.toLowerCase() === key.toLowerCase(),
  ),
  'takes no key for an empty one': leavesOut(({ stored }, key) => (stored.wrappedBy ?? '') === key),
  'lists every secret': list.first(() => 'none'),
  'counts every secret': count.first(() => 'none'),
  'counts endpoints': count.override(async ({ storage }, key) => {
    const listed = await storage.webhooks.listSecretsNotWrappedBy(key, null, ALL);
    return new Set(listed.map(({ endpointId }) => endpointId)).size;
  }),
  'lists the present secret first': orders(
    ({ endpointId, which }) => `${endpointId} ${which === 'secret' ? 'a' : 'b'}`,
  ),
  'lists all previous secrets first': orders(({ endpointId, which }) => `${which} ${endpointId}`),
  'always starts from the first': list.override(({ next }, key, _after, limit) => next(key, null, limit)),
  'starts after the endpoint': list.override(({ next }, key, after, limit) =>
    next(key, after === null ? null : { ...after, which: 'secret' }, limit),
  ),
  'starts with the secret given': list.override(async ({ next }, key, after, limit) => {
    const all = await next(key, null, ALL);
    const from = all.findIndex((each) => each.endpointId === after?.endpointId && each.which === after.which);
    return from < 0 ? next(key, after, limit) : all.slice(from, from + limit);
  }),
  'lists nothing after a secret that is not listed': list.override(async ({ next }, key, after, limit) => {
    const all = await next(key, null, ALL);
    const isListed = all.some((each) => each.endpointId === after?.endpointId && each.which === after.which);
    return after !== null && !isListed ? [] : next(key, after, limit);
  }),
  'ignores the limit': list.override(({ next }, key, after) => next(key, after, ALL)),
  'replaces nothing': replace.override(async ({ storage }, entry) => {
    const present = await presentOf(storage, entry);
    return { outcome: present?.value === entry.stored.value ? 'replaced' : 'conflict' };
  }),
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
  'keeps the name of the key': replace.override(({ next }, entry, { value }) =>
    next(entry, { value, wrappedBy: entry.stored.wrappedBy }),
  ),
  'replaces no secret that is not encrypted': replace.override(async ({ next }, entry, secret) =>
    entry.stored.wrappedBy === null ? { outcome: 'conflict' } : next(entry, secret),
  ),
  'replaces in spite of a conflict': assumes((present) => present),
  'compares values only': assumes(({ wrappedBy }, { value }) => ({ value, wrappedBy })),
  'compares keys only': assumes(({ value }, { wrappedBy }) => ({ value, wrappedBy })),
  'replaces secrets of other clients': replace.override(async ({ next, storage }, entry, secret) =>
    next({ ...entry, clientId: await ownerOf(storage, entry.endpointId, entry.clientId) }, secret),
  ),
  'replaces whichever secret has the value': replace.override(async ({ next, storage }, entry, secret) => {
    const other = { ...entry, which: entry.which === 'secret' ? 'previousSecret' : 'secret' } as const;
    const present = await presentOf(storage, other);
    return next(present?.value === entry.stored.value ? other : entry, secret);
  }),
  'answers replaced always': replace.result(() => ({ outcome: 'replaced' })),
  'compares, then replaces': replace.override(async ({ next, storage }, entry, secret) => {
    const present = await presentOf(storage, entry);
    await roundTrip();
    const isSame = present?.value === entry.stored.value && present.wrappedBy === entry.stored.wrappedBy;
    if (!isSame || entry.which !== 'secret') return next(entry, secret);
    await storage.webhooks.change(entry.clientId, entry.endpointId, { secret }, EARLY);
    return { outcome: 'replaced' };
  }),
});
