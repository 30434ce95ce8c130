import { expect, test } from 'vitest';
import type { MailRecipient } from './mail-recipient.ts';
import { USER_MAILS, type UserMailKind } from './user-mails.ts';

const PLANNED_AT = new Date(1_000);

const NEW: MailRecipient = {
  user: { id: 'ann', email: 'ann@example.com', name: 'Ann', role: 'reviewer', clientId: null, teamRole: null },
  locale: null,
  hasUnverifiedEmail: false,
  passwordMark: null,
  passwordSetAt: null,
  secondFactor: null,
};

test.each<[UserMailKind, user: string, Partial<MailRecipient>, UserMailKind | null]>([
  ['user.invitation', 'who has not joined', {}, 'user.invitation'],
  ['user.invitation', 'who has joined', { passwordSetAt: new Date(0) }, null],
  ['user.second_factor_reset', 'without a second factor', {}, null],
])('%s: to a user %s (%j), %j is sent', (kind, _user, change, expected) => {
  expect(USER_MAILS[kind].sentAs({ ...NEW, ...change }, PLANNED_AT)).toBe(expected);
});
