import { describe, expect, test } from 'vitest';
import { mailSettings } from './mail-settings.ts';

const MAIL_FROM = 'no-reply@verify.example';
const SMTP_URL = 'smtps://smtp.example';

const serverOf = (url: string) => mailSettings({ SMTP_URL: url, MAIL_FROM })?.server;
const senderOf = (from: string) => mailSettings({ SMTP_URL, MAIL_FROM: from })?.from;

test('without both, no mail is sent', () => {
  expect(mailSettings({})).toBeUndefined();
});

test.each([
  [{ SMTP_URL }, 'SMTP_URL is set, but MAIL_FROM is not: set both or neither'],
  [{ MAIL_FROM }, 'MAIL_FROM is set, but SMTP_URL is not: set both or neither'],
])('one of the two is refused: %j', (values, message) => {
  expect(() => mailSettings(values)).toThrow(message);
});

describe('SMTP_URL', () => {
  test.each([
    ['smtps://smtp.example', { host: 'smtp.example', port: 465, encryption: 'tls', credentials: null }],
    ['smtp://smtp.example/', { host: 'smtp.example', port: 587, encryption: 'starttls', credentials: null }],
    ['smtp://10.0.0.5:25', { host: '10.0.0.5', port: 25, encryption: 'starttls', credentials: null }],
    ['smtp://localhost:25', { host: 'localhost', port: 25, encryption: 'none', credentials: null }],
    ['smtp://127.0.0.2', { host: '127.0.0.2', port: 587, encryption: 'none', credentials: null }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, encryption: 'none', credentials: null }],
    [
      'smtp://127.0.0.1.evil.example',
      { host: '127.0.0.1.evil.example', port: 587, encryption: 'starttls', credentials: null },
    ],
    ['smtps://localhost', { host: 'localhost', port: 465, encryption: 'tls', credentials: null }],
    [
      'smtps://ada%40example.org:p%40ss%2Fw%23rd@smtp.example:2465',
      {
        host: 'smtp.example',
        port: 2465,
        encryption: 'tls',
        credentials: { user: 'ada@example.org', password: 'p@ss/w#rd' },
      },
    ],
  ])('%s', (url, expected) => {
    expect(serverOf(url)).toEqual(expected);
  });

  test.each([
    ['smtp.example:587', /is not a valid URL/],
    ['http://u:hunter2@smtp.example', /is not a valid URL/],
    ['SMTP://u:hunter2@smtp.example', /is not a valid URL/],
    ['smtp://u:hunter2@smtp.example:99999', /is not a valid URL/],
    ['smtp://u:hunter2@', /is not a valid URL|has no host/],
    ['smtp://u:hunter2@one,two', /has an invalid host|is not a valid URL/],
    ['smtp://u:hunter2@smtp.example/inbox', /has a path or parameters/],
    ['smtp://u:hunter2@smtp.example?tls=off', /has a path or parameters/],
    ['smtp://u:hunter2@smtp.example/#x', /has a #/],
    ['smtp://u@smtp.example', /has a user without a password/],
    ['smtp://:hunter2@smtp.example', /has a user without a password/],
    ['smtp://u:hunter2%@smtp.example', /has an invalid % escape/],
  ])('refuses %s without quoting it', (url, message) => {
    expect(() => serverOf(url)).toThrow(message);
    expect(() => serverOf(url)).toThrow(/^SMTP_URL [^\n]*: expected smtps:/);
    expect(() => serverOf(url)).not.toThrow(/hunter2/);
  });
});

describe('MAIL_FROM', () => {
  test.each([
    ['no-reply@verify.example', { name: null, address: 'no-reply@verify.example' }],
    ['<no-reply@verify.example>', { name: null, address: 'no-reply@verify.example' }],
    ['Example <no-reply@verify.example>', { name: 'Example', address: 'no-reply@verify.example' }],
    ['Zoë & Söhne GmbH <a@b.example>', { name: 'Zoë & Söhne GmbH', address: 'a@b.example' }],
  ])('%s', (from, expected) => {
    expect(senderOf(from)).toEqual(expected);
  });

  test.each([
    'no-reply',
    'a@b.example, c@d.example',
    'A <a@b.example>, C <c@d.example>',
    'a@b.example <c@d.example>',
    'Example <a@b.example> x',
    'Example <>',
    'Example\r\nBcc: x <a@b.example>',
    '"Example" <a@b.example>',
    `${'x'.repeat(101)} <a@b.example>`,
    'a b@c.example',
  ])('refuses %j with one line', (from) => {
    expect(() => senderOf(from)).toThrow(/^MAIL_FROM is "[^\n]*": expected an address such as [^\n]*$/);
  });
});
