import type { Clock, Countersign } from '@countersign/domain';
import type { MailAttempt, MailFailure, SmtpMailer } from '@countersign/mail';
import type { MailSettings } from '../config/settings.ts';
import type { Log } from '../logging/log.ts';
import { backlogReadings } from '../metrics/backlog-metrics.ts';
import type { Handles, Metrics } from '../metrics/metrics.ts';
import type { Job } from '../serve/jobs.ts';

/** How long a stopping server waits for mails that are under way. */
const STOP_MS = 10_000;

/** How long one run of the job goes on while mails are due. `doctor` expects runs to end. */
const RUN_MS = 60_000;

const HOUR_MS = 60 * 60 * 1_000;

const INTERVAL = { everyMs: 1_000, afterFaultMs: 30_000 };

/** The mails of a running server. */
export interface ServerMail {
  /** Undefined in a server that sends no mails. */
  readonly mailer: SmtpMailer | undefined;
  /** The jobs that queue and send mails. Nothing is sent before they start. */
  jobs(mails: Countersign['mails']): readonly Job[];
  /** Begins no further mails and waits up to ten seconds for those under way. A second call waits for the first. */
  close(): Promise<void>;
}

const NO_MAIL: ServerMail = { mailer: undefined, jobs: () => [], close: async () => undefined };

export interface MailParts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'event' | 'warning' | 'fault'>;
  readonly metrics: Pick<Metrics, 'begin'> | undefined;
}

/** Creates the mailer, its metrics and its job. Without a mail server, nothing of them is loaded. */
export async function createServerMail(
  settings: MailSettings | undefined,
  { clock, log, metrics }: MailParts,
): Promise<ServerMail> {
  if (settings === undefined) return NO_MAIL;
  const { createSmtpMailer } = await import('@countersign/mail');
  const warn = createMailWarnings(log);
  let counted: Handles<'mails'> | undefined;
  const mailer = createSmtpMailer({
    ...settings,
    clock,
    onAttempt(attempt) {
      counted?.attempts.inc({ result: attempt.result });
      warn(attempt);
    },
  });
  let isStopping = false;
  let running: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  async function sendDue(mails: Countersign['mails']): Promise<void> {
    const end = performance.now() + RUN_MS;
    let isDone = false;
    while (!isDone && !isStopping && performance.now() < end) {
      const result = await mails.send();
      for (const { id: mailId, kind } of result.refusedTooLong) {
        log.warning('a mail was dropped: the mail server refused every attempt to send it', { mailId, kind });
      }
      counted?.held.inc(result.held);
      isDone = result.isDone;
    }
  }

  async function close(): Promise<void> {
    isStopping = true;
    const timer = setTimeout(() => mailer.close(), STOP_MS);
    await running;
    clearTimeout(timer);
    mailer.close();
  }

  return {
    mailer,
    jobs(mails) {
      counted = metrics?.begin('mails', backlogReadings({ read: mails.backlog, onFault: log.fault }));
      const run = (): Promise<void> => {
        const sending = sendDue(mails);
        running = sending.catch(() => undefined);
        return sending;
      };
      return [
        { name: 'send_mails', run, interval: INTERVAL },
        { name: 'queue_key_notices', run: () => mails.queueKeyNotices(), interval: { everyMs: HOUR_MS } },
      ];
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Failures that concern all mails, with what to do. */
const ADVICE: Readonly<Partial<Record<MailFailure, string>>> = {
  unreachable: 'the mail server cannot be reached: mails wait. Check host and port of SMTP_URL',
  encryption:
    'no encrypted connection to the mail server, or its certificate is not valid: mails wait. Check SMTP_URL, or set NODE_EXTRA_CA_CERTS',
  sign_in: 'the mail server refused the sign-in: mails wait. Check user and password of SMTP_URL',
  sender: 'the mail server refused the sender: mails wait. Check MAIL_FROM',
};

/** Makes a function that warns once of each state of the mail server, and of each mail that it refused. Names no addresses. */
export function createMailWarnings({
  event,
  warning,
}: Pick<Log, 'event' | 'warning'>): (attempt: MailAttempt) => void {
  let current: MailFailure | undefined;
  return ({ mailId, kind, result, code }) => {
    const smtpCode = code ?? undefined;
    if (result === 'refused') return warning('a mail server refused a mail for good', { mailId, kind, smtpCode });
    const advice = result === 'accepted' ? undefined : ADVICE[result];
    if (result === 'accepted' && current !== undefined) {
      current = undefined;
      event('the mail server accepts mails again');
    } else if (advice !== undefined && result !== 'accepted' && result !== current) {
      current = result;
      warning(advice, { smtpCode });
    }
  };
}
