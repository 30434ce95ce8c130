import { keyNoticesSuite } from '../../src/suites/mails/key-notices.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { apiKeys, mailQueue } from './patch.ts';

const { list, resolve } = apiKeys;
const { expiringKeys, noteKeyExpiry } = mailQueue;

export const keyNoticesMutants: readonly Mutant[] = mutantsOf(keyNoticesSuite, {
  'finds keys that have expired': expiringKeys.input(({ now }) => ({ now: new Date(now.getTime() - 1) })),
  'finds keys that expire later': expiringKeys.input(({ until }) => ({ until: new Date(until.getTime() + 1) })),
  'misses keys that expire at the end': expiringKeys.input(({ until }) => ({
    until: new Date(until.getTime() - 1),
  })),
  'misses keys that expire soon': expiringKeys.input(({ now }) => ({ now: new Date(now.getTime() + 1) })),
  'finds the last first': expiringKeys.result((keys) => keys.toReversed()),
  'finds more than asked for': expiringKeys.input(() => ({ limit: 1_000 })),
  'finds keys of one client': expiringKeys.result((keys) =>
    keys.filter(({ clientId }) => clientId === keys[0]?.clientId),
  ),
  'finds keys that were noted': expiringKeys.input(() => ({ days: -1 })),
  'finds keys that were never noted only': expiringKeys.override(async ({ next, storage }, request) => {
    const keys = await next(request);
    const noted = await Promise.all(
      keys.map(async ({ clientId, keyId }) =>
        (await storage.apiKeys.list(clientId)).some(({ id, noticedDays }) => id === keyId && noticedDays !== null),
      ),
    );
    return keys.filter((_, index) => noted[index] === false);
  }),
  'queues no mails': noteKeyExpiry.input(() => ({ mails: [] })),
  'queues one mail': noteKeyExpiry.input(({ mails }) => ({ mails: mails.slice(0, 1) })),
  'queues mails again': noteKeyExpiry.override(async ({ next, storage }, notice) => {
    const result = await next(notice);
    if (result.outcome === 'not_due') await storage.mails.add(notice.mails).catch(() => undefined);
    return result;
  }),
  'notes one day less': noteKeyExpiry.input(({ days }) => ({ days: days - 1 })),
  'notes nothing': noteKeyExpiry.override(async ({ storage }, { mails }) => {
    await storage.mails.add(mails);
    return { outcome: 'noted' };
  }),
  'lists no notice': list.result((keys) => keys.map((key) => ({ ...key, noticedDays: null }))),
  'resolves no notice': resolve.result((resolved) => ({
    ...resolved,
    key: { ...resolved.key, noticedDays: null },
  })),
  'notes before it queues': noteKeyExpiry.override(async ({ next, storage }, { mails, ...notice }) => {
    const result = await next({ ...notice, mails: [] });
    if (result.outcome === 'noted') await storage.mails.add(mails);
    return result;
  }),
  'says that it noted every key': noteKeyExpiry.override(async ({ next }, notice) => {
    await next(notice);
    return { outcome: 'noted' };
  }),
  'says that nothing is due': noteKeyExpiry.override(async ({ next }, notice) => {
    await next(notice);
    return { outcome: 'not_due' };
  }),
});
