import type { Storage } from '@countersign/domain/storage';
import type { FailedAttempt, MailFailure } from '@countersign/mail';
import { createSystemClock } from '@countersign/runtime';
import type { MailSettings } from '../config/settings.ts';
import type { Findings } from '../database/findings.ts';

/** What `doctor` finds about mails. */
export interface MailFacts {
  /** Null if no mails are sent. */
  readonly server: { readonly host: string; readonly port: number; readonly accepts: boolean } | null;
  /** Mails that are due; null when the database cannot be read. */
  readonly waiting: number | null;
}

/** From this age on, a mail that is due is late: servers send each second, and try again after two minutes. */
const LATE_AFTER_MS = 15 * 60 * 1_000;

/** Counting stops here. */
const COUNT_UP_TO = 10_000;

/** What is wrong, by failure, and what to do. */
const PROBLEMS: Readonly<Record<MailFailure, string>> = {
  refused: 'refused the connection: check SMTP_URL',
  deferred: 'accepts no connection at the moment: try again',
  no_answer: 'did not answer in time: check SMTP_URL',
  unreachable: 'cannot be reached: check host and port of SMTP_URL, and the firewall',
  encryption:
    'offers no encryption, or its certificate is not valid: check SMTP_URL, or set NODE_EXTRA_CA_CERTS to the certificate of your authority',
  sign_in: 'refused the sign-in: check user and password of SMTP_URL',
  sender: 'refused the sender: check MAIL_FROM',
};

/**
 * Connects to the mail server, signs in, and counts the mails that wait. Sends nothing.
 * @param storage undefined when the database has a problem
 */
export async function examineMail(
  settings: MailSettings | undefined,
  storage: Pick<Storage, 'mails'> | undefined,
  now: Date = new Date(),
): Promise<Findings<MailFacts>> {
  const backlog = await storage?.mails.backlog({ now, limit: COUNT_UP_TO });
  const waiting = backlog?.waiting ?? null;
  const oldestAt = backlog?.oldestAt ?? null;
  if (settings === undefined) {
    const lines = waiting === null || waiting === 0 ? [] : [`Mails waiting: ${waiting}. SMTP_URL is not set`];
    return { facts: { server: null, waiting }, lines, problems: [] };
  }
  const { host, port } = settings.server;
  const failed = await tryConnection(settings);
  const problems: string[] = [];
  if (failed !== null) {
    const code = failed.code === null ? '' : ` (${failed.code})`;
    problems.push(`The mail server ${host}:${port} ${PROBLEMS[failed.failure]}${code}`);
  }
  if (oldestAt !== null && now.getTime() - oldestAt.getTime() > LATE_AFTER_MS) {
    problems.push(`Mails have waited since ${oldestAt.toISOString()}: see the logs of the servers`);
  }
  const state = failed === null ? 'accepts the connection' : 'does not accept the connection';
  return {
    facts: { server: { host, port, accepts: failed === null }, waiting },
    lines: [`Mail server ${host}:${port} ${state}; mails waiting: ${waiting ?? 'unknown'}`],
    problems,
  };
}

async function tryConnection(settings: MailSettings): Promise<FailedAttempt | null> {
  const { createSmtpMailer } = await import('@countersign/mail');
  const mailer = createSmtpMailer({ ...settings, clock: createSystemClock() });
  try {
    return await mailer.check();
  } finally {
    mailer.close();
  }
}
