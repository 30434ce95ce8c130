import type { ApiKey } from '@countersign/domain';
import type { Mail, MailQueue } from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

/** Mails about API keys that expire soon. */
export function createKeyNotices(
  { apiKeys }: Tables,
  putMails: (added: readonly Mail[]) => void,
): Sync<Pick<MailQueue, 'expiringKeys' | 'noteKeyExpiry'>> {
  const isUnnoticed = ({ noticedDays }: ApiKey, days: number): boolean =>
    noticedDays === null || noticedDays > days;
  return {
    expiringKeys: ({ now, until, days, limit }) =>
      apiKeys
        .by('expiry', { from: [now.getTime() + 1], until: [until.getTime() + 1] })
        .filter((key) => isUnnoticed(key, days))
        .take(limit)
        .map(({ clientId, id }) => ({ clientId, keyId: id }))
        .toArray(),
    noteKeyExpiry({ clientId, keyId, days, mails }) {
      const key = apiKeys.get(clientId, keyId);
      if (key === undefined || key.revokedAt !== null || !isUnnoticed(key, days)) return { outcome: 'not_due' };
      putMails(mails);
      apiKeys.put({ ...key, noticedDays: days });
      return { outcome: 'noted' };
    },
  };
}
