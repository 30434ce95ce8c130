import type { ApiKey, ListedKey, Permission } from '@countersign/domain';
import type { MessageKey, Translate } from '../../site/messages.ts';

/** What a key may do, in words. */
export const PERMISSION_WORDS: Readonly<Record<Permission, MessageKey>> = {
  'verifications:create': 'dashboard:permission.create',
  'verifications:read': 'dashboard:permission.read',
  '*': 'dashboard:permission.all',
};

/** What a key is called, and revoked by: its name, else its first and last characters. */
export function calledBy({ name, display }: Pick<ApiKey, 'name' | 'display'>): string {
  return name === '' ? display : name;
}

/** When it expires, or that it never does, or no longer works. */
export function expiryInWords({ state, expiresAt, expiresInDays }: ListedKey, t: Translate): string {
  if (state !== 'active') return t('dashboard:keys.noLonger');
  if (expiresAt === null || expiresInDays === null) return t('dashboard:keys.never');
  return t('dashboard:keys.inDays', { count: expiresInDays });
}
