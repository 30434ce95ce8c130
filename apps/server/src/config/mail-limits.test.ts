import { expect, test } from 'vitest';
import { readServerSettings } from './environment.ts';

test('the limits of mails to one address are settings', () => {
  const settings = readServerSettings({
    VERIFICATION_MAILS_PER_DAY: '2',
    CLIENT_VERIFICATION_MAILS_PER_DAY: '1',
    USER_MAILS_PER_HOUR: '30',
    CLIENT_USER_MAILS_PER_DAY: '29',
    TEAM_MAILS_PER_DAY: '200',
    CLIENT_TEAM_MAILS_PER_DAY: '100',
  });
  expect(settings.mailLimits).toEqual({
    verification: { recipient: 2, client: 1 },
    user: { recipient: 30, client: 29 },
    team: { recipient: 200, client: 100 },
  });
});

test.each<[environment: Record<string, string>, message: string]>([
  [
    { CLIENT_VERIFICATION_MAILS_PER_DAY: '21' },
    'CLIENT_VERIFICATION_MAILS_PER_DAY is not less than VERIFICATION_MAILS_PER_DAY: expected at most 19',
  ],
  // A client could use up what the recipient needs for a new password.
  [
    { USER_MAILS_PER_HOUR: '6' },
    'CLIENT_USER_MAILS_PER_DAY is not less than USER_MAILS_PER_HOUR: expected at most 5',
  ],
  [{ TEAM_MAILS_PER_DAY: '1' }, 'TEAM_MAILS_PER_DAY'],
  [{ CLIENT_TEAM_MAILS_PER_DAY: '0' }, 'CLIENT_TEAM_MAILS_PER_DAY'],
])('%j is refused', (environment, message) => {
  expect(() => readServerSettings(environment)).toThrow(message);
});
