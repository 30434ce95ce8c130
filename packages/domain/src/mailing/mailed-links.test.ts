import { expect, it } from 'vitest';
import type { MailRecipient } from '../staff/mail-recipient.ts';
import { createMailedLinks } from './mailed-links.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const END = (NOW.getTime() + 1).toString(36);

const ADA: MailRecipient = {
  user: {
    id: 'ada',
    email: 'ada@example.org',
    name: 'Ada',
    role: 'client',
    clientId: 'c1',
    teamRole: 'agent',
  },
  locale: null,
  hasUnverifiedEmail: false,
  passwordMark: null,
  passwordSetAt: null,
  secondFactor: null,
};

/** Reads a link whose signature was made of a text. */
function read(signed: string, recipient: MailRecipient): Promise<MailRecipient | null> {
  const links = createMailedLinks({
    recipients: { findRecipient: async () => recipient, keepLocale: async () => undefined },
    secrets: { sign: (text) => text, verify: (text, signature) => signature === text.replaceAll(/\W/g, '-') },
    clock: { now: () => NOW },
  });
  return links.read(`ada.${END}.${signed.replaceAll(/\W/g, '-')}`, 'password');
}

it('mailed links: an invitation of any version works for a user who has never joined, and for no other', async () => {
  const invitation = `account link password ada none ${END}`;
  expect(await read(invitation, ADA)).toEqual(ADA);
  expect(await read(invitation, { ...ADA, passwordMark: 'of what ended' })).toBeNull();
  expect(await read(`account link password ada mark ${END}`, { ...ADA, passwordMark: 'mark' })).not.toBeNull();
});

it('mailed links: a link to remove a second factor is not made and opens nothing without one, nor does a malformed link', async () => {
  const links = createMailedLinks({
    recipients: { findRecipient: async () => ADA, keepLocale: async () => undefined },
    secrets: { sign: (text) => text, verify: () => true },
    clock: { now: () => NOW },
  });
  expect(links.make(ADA, 'second_factor', 1)).toBeNull();
  expect(await links.read(`ada.${END}.signature`, 'second_factor')).toBeNull();
  expect(await links.read('malformed', 'password')).toBeNull();
});
