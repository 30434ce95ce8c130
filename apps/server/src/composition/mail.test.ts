import type { Countersign } from '@countersign/domain';
import type { SentMails } from '@countersign/domain/mail';
import type { MailAttempt } from '@countersign/mail';
import { createFixedClock } from '@countersign/memory';
import { describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { createMailWarnings, createServerMail } from './mail.ts';

const NOTHING: SentMails = {
  sent: 0,
  moot: 0,
  waiting: 0,
  held: 0,
  givenUp: 0,
  refusedTooLong: [],
  isAvailable: true,
  isDone: true,
};
const SETTINGS = {
  server: { host: 'localhost', port: 1, encryption: 'none', credentials: null },
  from: { name: null, address: 'no-reply@verify.example' },
} as const;

function givenLog() {
  return { event: vi.fn<() => void>(), warning: vi.fn<() => void>(), fault: vi.fn<() => void>() };
}

function givenMails(send: () => Promise<SentMails>): Countersign['mails'] {
  return {
    isOn: true,
    sendsToUsers: true,
    aboutPause: async () => [],
    queueKeyNotices: async () => 0,
    send,
    backlog: async () => ({ waiting: 3, oldestAt: null }),
  };
}

async function givenServerMail(metrics?: ReturnType<typeof createMetrics>, log = givenLog()) {
  const clock = createFixedClock(new Date('2026-11-23T09:00:00Z'));
  return await createServerMail(SETTINGS, { clock, log, metrics });
}

describe('the job send_mails', () => {
  it('sends until nothing is due', async () => {
    const send = vi.fn<() => Promise<SentMails>>();
    send.mockResolvedValueOnce({ ...NOTHING, sent: 20, isDone: false }).mockResolvedValue(NOTHING);
    const mail = await givenServerMail();
    const [job] = mail.jobs(givenMails(send));
    await job?.run();
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('begins nothing more once the server stops, and close waits for what is under way', async () => {
    const mail = await givenServerMail();
    let finish: (result: SentMails) => void = () => undefined;
    const send = vi.fn<() => Promise<SentMails>>(() => new Promise((resolve) => (finish = resolve)));
    const [job] = mail.jobs(givenMails(send));
    const run = job?.run();
    const closed = vi.fn<() => void>();
    const closing = mail.close().then(closed);
    await Promise.resolve();
    expect(closed).not.toHaveBeenCalled();
    finish({ ...NOTHING, isDone: false });
    await Promise.all([run, closing]);
    await job?.run();
    expect(send).toHaveBeenCalledOnce();
  });

  it('logs the id and the kind of each mail that was refused for too long', async () => {
    const log = givenLog();
    const mail = await givenServerMail(undefined, log);
    const refusedTooLong = [{ id: 'mail-1', kind: 'verification.result' }] as const;
    const [job] = mail.jobs(givenMails(async () => ({ ...NOTHING, givenUp: 2, refusedTooLong })));
    await job?.run();
    expect(log.warning.mock.calls).toEqual([
      [expect.stringContaining('dropped'), { mailId: 'mail-1', kind: 'verification.result' }],
    ]);
  });

  it('the job send_mails is none without a mail server', async () => {
    const clock = createFixedClock(new Date('2026-11-23T09:00:00Z'));
    const mail = await createServerMail(undefined, { clock, log: givenLog(), metrics: undefined });
    expect([mail.mailer, mail.jobs(givenMails(async () => NOTHING))]).toEqual([undefined, []]);
  });
});

it('metrics: the backlog, and each attempt by its result', async () => {
  const metrics = createMetrics();
  const mail = await givenServerMail(metrics);
  mail.jobs(givenMails(async () => NOTHING));
  await mail.mailer?.send({
    kind: 'verification.link',
    messageId: 'mail-1',
    to: 'ada@example.org',
    locale: null,
    values: {
      clientName: 'Acme',
      colour: null,
      logo: null,
      supportAddress: null,
      subjectType: 'kyc',
      url: 'https://verify.example',
      linkExpiresAt: new Date(),
    },
  });
  await mail.close();
  const text = await metrics.text();
  expect(text).toContain('countersign_mail_backlog 3\n');
  expect(text).toContain('countersign_mail_oldest_age_seconds 0\n');
  expect(text).toContain('countersign_mail_attempts_total{result="unreachable"} 1\n');
  expect(text).toContain('countersign_mail_attempts_total{result="accepted"} 0\n');
});

describe('the log', () => {
  function attemptOf(result: MailAttempt['result'], code: number | null = null): MailAttempt {
    return { mailId: 'mail-1', kind: 'verification.link', result, code };
  }

  it('the log has one line for each state of the mail server', () => {
    const log = givenLog();
    const warn = createMailWarnings(log);
    for (const result of ['accepted', 'unreachable', 'unreachable', 'sign_in', 'accepted', 'accepted'] as const)
      warn(attemptOf(result));
    expect(log.warning.mock.calls).toEqual([
      [expect.stringContaining('cannot be reached'), { smtpCode: undefined }],
      [expect.stringContaining('refused the sign-in'), { smtpCode: undefined }],
    ]);
    expect(log.event.mock.calls).toEqual([['the mail server accepts mails again']]);
  });

  it('names a refused mail by its id, kind and code', () => {
    const log = givenLog();
    createMailWarnings(log)(attemptOf('refused', 550));
    const fields = { mailId: 'mail-1', kind: 'verification.link', smtpCode: 550 };
    expect(log.warning.mock.calls).toEqual([['a mail server refused a mail for good', fields]]);
  });
});
