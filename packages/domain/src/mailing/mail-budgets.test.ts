import { describe, expect, it } from 'vitest';

import { type Addressed, budgetsOf, DEFAULT_MAIL_LIMITS } from './mail-budgets.ts';
import { MAIL_KINDS } from './mails.ts';

const secrets = { sign: (text: string) => `signed ${text}` };
const budgets = (given: Partial<Addressed> = {}) =>
  budgetsOf(
    { kind: 'verification.link', to: 'ada@example.org', clientId: 'client-1', ...given },
    DEFAULT_MAIL_LIMITS,
    secrets,
  );
const names = (given: Partial<Addressed> = {}) => budgets(given).map(({ name }) => name);

it('a mail because of a client counts for client and recipient, and for the recipient', () => {
  const day = { windowMs: 24 * 60 * 60 * 1_000 };
  expect(budgets()).toEqual([
    { ...day, name: 'signed mail budget verification client client-1 ada@example.org', allowed: 10 },
    { ...day, name: 'signed mail budget verification recipient ada@example.org', allowed: 20 },
  ]);
});

it('a mail that no client causes counts for the recipient only', () => {
  expect(budgets({ kind: 'user.password_reset', clientId: null })).toEqual([
    { name: 'signed mail budget user recipient ada@example.org', allowed: 12, windowMs: 60 * 60 * 1_000 },
  ]);
});

it.each(['ADA@Example.ORG', 'ada+1@example.org', 'Ada+a+b@example.org'])('%s is the mailbox of ada@', (to) => {
  expect(names({ to })).toEqual(names());
});

it.each([
  ['adah@example.org', 'ada@example.org'],
  ['ada@example.com', 'ada@example.org'],
  ['+1@example.org', 'ada@example.org'],
  ['+1+2@example.org', '+1@example.org'],
])('%s is another mailbox than %s', (to, other) => {
  expect(names({ to }).filter((name) => names({ to: other }).includes(name))).toEqual([]);
});

it('mails about verifications, to users and to teams have budgets of their own', () => {
  expect(new Set(MAIL_KINDS.flatMap((kind) => names({ kind }))).size).toBe(6);
});

describe('the defaults', () => {
  it.each(Object.entries(DEFAULT_MAIL_LIMITS))('%s: a client has a part of what a recipient gets', (_, limit) => {
    expect(limit.client).toBeLessThan(limit.recipient);
  });
});
