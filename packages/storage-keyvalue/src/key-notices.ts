import type { ApiKey } from '@countersign/domain';
import { compareText, type Mail, type MailQueue } from '@countersign/domain/storage';
import { compareTime, type Sync, type Tables } from './tables.ts';

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
        .toArray()
        .sort((a, b) => compareTime(a.expiresAt, b.expiresAt) || compareText(a.id, b.id))
        .slice(0, limit)
        .map(({ clientId, id }) => ({ clientId, keyId: id })),
    noteKeyExpiry({ clientId, keyId, days, mails }) {
      const key = apiKeys.get(clientId, keyId);
      if (key === undefined || key.revokedAt !== null || !isUnnoticed(key, days)) return { outcome: 'not_due' };
      putMails(mails);
      apiKeys.put({ ...key, noticedDays: days });
      return { outcome: 'noted' };
    },
  };
}
