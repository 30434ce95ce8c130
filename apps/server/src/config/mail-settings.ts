import { isIP } from 'node:net';
import { EMAIL_MAX } from '@countersign/domain/flows';
import type { MailSender, MailServer } from '@countersign/mail';
import { z } from 'zod';
import { SettingError } from './errors.ts';
import { isDecodable } from './server-urls.ts';
import type { MailSettings } from './settings.ts';

// Errors never quote the URL, which may hold a password.

const EXPECTED_URL = 'expected smtps://user:password@host or smtp://user:password@host:587';
const EXPECTED_SENDER = 'expected an address such as no-reply@example.org, or Example <no-reply@example.org>';

/** Ports by the scheme of the URL: RFC 8314 and RFC 6409. */
const PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };

const NAME_MAX = 100;

const plainAddress = z.email().max(EMAIL_MAX);

/**
 * Reads how mails are sent.
 * @returns undefined if none are sent
 * @throws SettingError for an invalid value, and if only one of them is set
 */
export function mailSettings({
  SMTP_URL: url,
  MAIL_FROM: from,
}: {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
}): MailSettings | undefined {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined) throw new SettingError('MAIL_FROM', 'is set, but SMTP_URL is not: set both or neither');
  if (from === undefined) throw new SettingError('SMTP_URL', 'is set, but MAIL_FROM is not: set both or neither');
  return { server: mailServer(url), from: mailSender(from) };
}

function mailServer(text: string): MailServer {
  const refuse = (problem: string): never => {
    throw new SettingError('SMTP_URL', `${problem}: ${EXPECTED_URL}`);
  };
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return refuse('is not a valid URL of a mail server');
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === '') return refuse('has no host');
  if (!/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(hostname)) return refuse('has an invalid host');
  if ((pathname !== '' && pathname !== '/') || search !== '') return refuse('has a path or parameters');
  if (hash !== '') return refuse('has a #, write it as %23 in a password');
  if ((username === '') !== (password === ''))
    return refuse('has a user without a password, or a password without a user');
  if (![username, password].every(isDecodable)) return refuse('has an invalid % escape');
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
    encryption: protocol === 'smtps:' ? 'tls' : isThisMachine(host) ? 'none' : 'starttls',
    credentials:
      username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}

function mailSender(text: string): MailSender {
  const refuse = (): never => {
    throw new SettingError('MAIL_FROM', `is ${JSON.stringify(text.slice(0, 200))}: ${EXPECTED_SENDER}`);
  };
  const [, name, bracketed] = /^([^<>]*?) *<([^<>]*)>$/.exec(text) ?? [];
  const address = bracketed ?? text;
  if (!plainAddress.safeParse(address).success) return refuse();
  if (name === undefined || name === '') return { name: null, address };
  // A list of addresses, or a second line.
  if (name.length > NAME_MAX || /[\p{Cc}\p{Zl}\p{Zp}"@,;]/u.test(name)) return refuse();
  return { name, address };
}

/** A connection within this machine needs no encryption. */
function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
