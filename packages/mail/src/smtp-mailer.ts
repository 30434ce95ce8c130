import type { Clock } from '@countersign/domain';
import type { MailContent, Mailer, MailKind } from '@countersign/domain/mail';
import { createTransport } from 'nodemailer';
import { drawMail } from './draw.tsx';
import { type FailedAttempt, failedAttempt, type MailFailure, OUTCOMES } from './failure.ts';
import { mailTextOf } from './mail-text.ts';
import { isPlainAddress } from './plain-address.ts';

/** A mail server, and how to sign in to it. */
export interface MailServer {
  /** A host name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte. `starttls`: before anything is sent, or nothing is. `none`: only for a server on this machine. */
  readonly encryption: 'tls' | 'starttls' | 'none';
  /** Null for a server that wants no sign-in. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** The sender of all mails. */
export interface MailSender {
  /** Null without one: mails then name Countersign. */
  readonly name: string | null;
  /** One plain address. */
  readonly address: string;
}

/** An attempt to send a mail, for logs and metrics. It names no address and quotes no answer of the server. */
export interface MailAttempt {
  readonly mailId: string;
  readonly kind: MailKind;
  readonly result: 'accepted' | MailFailure;
  /** The server's code of three digits; null without one. */
  readonly code: number | null;
}

/** Options of `createSmtpMailer`. */
export interface SmtpMailerOptions {
  readonly server: MailServer;
  readonly from: MailSender;
  readonly clock: Clock;
  /** Gets each attempt. */
  readonly onAttempt?: ((attempt: MailAttempt) => void) | undefined;
  /** Deadlines in milliseconds. */
  readonly deadlines?: Partial<MailDeadlines> | undefined;
}

/** How long the mailer waits, in milliseconds. */
export interface MailDeadlines {
  /** For the connection, and then for the greeting. */
  readonly connectMs: number;
  /** For each answer. */
  readonly answerMs: number;
  /** For all of an attempt. */
  readonly attemptMs: number;
}

/** A mailer that sends by SMTP. */
export interface SmtpMailer extends Mailer {
  /** Connects, encrypts and signs in, without sending anything. Null if the server accepts all of it. */
  check(): Promise<FailedAttempt | null>;
  /** Ends all attempts and connections. Attempts from then on end as `unavailable`. */
  close(): void;
}

const DEADLINES: MailDeadlines = { connectMs: 10_000, answerMs: 30_000, attemptMs: 50_000 };

/** Connections that are open at the same time. The core sends as many mails together. */
const CONNECTIONS = 5;

/** How long a connection is kept for the next mail. Servers keep it for five minutes (RFC 5321, section 4.5.3.2.7). */
const IDLE_MS = 30_000;

/**
 * Creates a mailer that sends by SMTP. Certificates are verified against those that Node trusts: those of the system's authorities, and of
 * `NODE_EXTRA_CA_CERTS`.
 *
 * @example
 * const mailer = createSmtpMailer({
 *   server: { host: 'smtp.example.org', port: 465, encryption: 'tls', credentials: { user: 'ada', password: 'secret' } },
 *   from: { name: 'Example', address: 'no-reply@example.org' },
 *   clock: createSystemClock(),
 * });
 */
export function createSmtpMailer({ server, from, clock, onAttempt, deadlines }: SmtpMailerOptions): SmtpMailer {
  const { host, port, encryption, credentials } = server;
  const { connectMs, answerMs, attemptMs } = { ...DEADLINES, ...deadlines };
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    idleTimeout: IDLE_MS,
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(credentials !== null && { auth: { user: credentials.user, pass: credentials.password }, forceAuth: true }),
    // Not the name of this machine.
    name: domain,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const closing = new AbortController();

  /** @throws the fault of an attempt that failed for another reason than the connection or the server */
  async function deliver(content: MailContent): Promise<FailedAttempt | null> {
    if (!isPlainAddress(content.to)) return { failure: 'refused', code: null };
    const mailText = mailTextOf(content, clock.now(), from.name);
    const { replyTo } = mailText;
    try {
      await transport.sendMail({
        from: { name: mailText.from, address: from.address },
        // An object: a text would be parsed as a list of addresses.
        to: { name: '', address: content.to },
        ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
        envelope: { from: from.address, to: [content.to] },
        subject: mailText.subject,
        messageId: `<${content.messageId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        xMailer: false,
        ...drawMail(mailText),
        signal: AbortSignal.any([AbortSignal.timeout(attemptMs), closing.signal]),
      });
      return null;
    } catch (fault) {
      if (closing.signal.aborted) return { failure: 'unreachable', code: null };
      return failedAttempt(fault);
    }
  }

  return {
    async send(content) {
      const failed = await deliver(content);
      const { messageId: mailId, kind } = content;
      onAttempt?.({ mailId, kind, result: failed?.failure ?? 'accepted', code: failed?.code ?? null });
      return failed === null ? { outcome: 'accepted' } : OUTCOMES[failed.failure];
    },

    async check() {
      try {
        await transport.verify();
        return null;
      } catch (fault) {
        return failedAttempt(fault);
      }
    },

    close() {
      closing.abort();
      transport.close();
    },
  };
}
