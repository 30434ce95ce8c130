import { isCountersignError, VerificationFault } from '../errors.ts';
import { groupOf, type Mail, type MailGroup } from '../mail/mail.ts';
import type { MailQueue, MailSettlement } from '../mail/mail-queue.ts';
import type { Runtime, Secrets } from '../runtime.ts';
import { budgetsOf, type MailLimits } from './mail-budgets.ts';
import type { Mailer } from './mailer.ts';
import { retryAt, UNAVAILABLE_WAIT_MS } from './retry-plan.ts';
import type { WriteMail, WrittenMail } from './written-mail.ts';

/** What became of the mails of one call. */
export interface SentMails {
  /** A mail server accepted them. */
  readonly sent: number;
  /** The mail was no longer needed. */
  readonly moot: number;
  /** They are tried again later. */
  readonly waiting: number;
  /** Held back because their recipients have reached a limit. */
  readonly held: number;
  /** A mail server refused them for good, or for too long. */
  readonly givenUp: number;
  /** Of those given up, the ones that a mail server refused for now, for too long: the mailer does not know that it was the last attempt. */
  readonly refusedTooLong: readonly Pick<Mail, 'id' | 'kind'>[];
  /** Whether the mail server can be reached. */
  readonly isAvailable: boolean;
  /** Whether no mail was left that is due. After an outage it is true, so that the caller waits. */
  readonly isDone: boolean;
}

/** Mails that the service sends. */
export interface SendMails {
  /** Whether this service sends mails. Without it, none is queued. */
  readonly isOn: boolean;
  /** Whether it also sends mails to users. Without it, their one-time links are passed on by hand. */
  readonly sendsToUsers: boolean;
  /**
   * Background job that queues mails about API keys that expire within a week and within a day, to the users who manage them. Run it each
   * hour. Returns the number of keys.
   *
   * Concurrency: instances that run it at the same time queue each mail once.
   */
  queueKeyNotices(): Promise<number>;
  /**
   * Makes the mails about a pause to the users who manage the endpoint. The sender of webhooks stores
   * them with the pause (`WebhookRepository.settle`). Empty in a service that sends no mails to users.
   */
  aboutPause(endpoint: { readonly clientId: string; readonly id: string }): Promise<readonly Mail[]>;
  /**
   * Background job that sends some of the mails that are due, run about once a second. Each mail is sent at least once; one that is
   * sent twice has the same `Message-ID`. A mail that cannot be written is reported and tried again. Without a `mailer`, or the part
   * `mails` of the storage, it sends nothing and is done: `isOn` says whether to schedule it.
   *
   * Concurrency: instances that run it at the same time send different mails.
   */
  send(): Promise<SentMails>;
  /** Counts the mails that should have been sent by now, up to 10,000, for metrics. */
  backlog(): ReturnType<MailQueue['backlog']>;
}

/** Mails that one call sends. */
const AT_ONCE = 20;

/** Mails that are sent at the same time. */
const TOGETHER = 5;

/** How long a call may take: all its mails, each of which takes up to a minute. */
const LEASE_MS = 5 * 60 * 1000;

const COUNTED = 10_000;

/** How often ended budgets are deleted, and how many of them at once. */
const DELETE_BUDGETS_EVERY_MS = 60 * 1000;
const BUDGETS_AT_ONCE = 1_000;

/** Wait until an invitation is tried again whose user is not created yet. */
const EARLY_WAIT_MS = 10 * 1000;

/** Wait until a mail is tried again whose verification this server lacks the secret to read: another server may have it. */
const UNREADABLE_WAIT_MS = 5 * 60 * 1000;

/** What became of a mail, by the field of `SentMails` that counts it. */
type Fate = 'sent' | 'moot' | 'waiting' | 'held' | 'givenUp';

interface Decided {
  readonly fate: Fate;
  readonly settlement: MailSettlement;
  readonly isRefusedTooLong?: true;
}

const MOOT: Decided = { fate: 'moot', settlement: { state: 'done', next: null } };
const GIVEN_UP: Decided = { fate: 'givenUp', settlement: { state: 'done', next: null } };

/** Creates the background job that sends mails. */
export function createSendMails({
  mails,
  mailer,
  writers,
  clock,
  secrets,
  limits,
  onFault,
}: Pick<Runtime, 'clock' | 'onFault'> & {
  mails: MailQueue;
  mailer: Mailer | undefined;
  /** Write the mails of each group. */
  writers: Readonly<Record<MailGroup, WriteMail>>;
  secrets: Pick<Secrets, 'randomHex' | 'sign'>;
  limits: MailLimits;
}): Pick<SendMails, 'send' | 'backlog'> {
  let budgetsDeletedAt = Number.NEGATIVE_INFINITY;

  /** Deletes ended budgets once a minute: they are derived from people's addresses. */
  async function deleteEndedBudgets(now: Date): Promise<void> {
    if (now.getTime() - budgetsDeletedAt < DELETE_BUDGETS_EVERY_MS) return;
    const deleted = await mails.deleteEndedBudgets({ now, limit: BUDGETS_AT_ONCE });
    if (deleted < BUDGETS_AT_ONCE) budgetsDeletedAt = now.getTime();
  }

  /**
   * Sends a mail, unless its recipient has reached a limit. `next` enters the queue once it is sent. Null if no mail server decided about
   * it. The budgets are charged before the mail is sent, so a process that ends meanwhile never exceeds them.
   */
  async function deliver(
    mail: Mail,
    { content, clientId, next }: WrittenMail,
    by: Mailer,
  ): Promise<Decided | null> {
    const budgets = budgetsOf({ kind: mail.kind, to: content.to, clientId }, limits, secrets);
    const takenAt = clock.now();
    const taken = await mails.takeFromBudgets({ budgets, now: takenAt });
    if (taken.outcome === 'used_up') return { fate: 'held', settlement: { state: 'held', until: taken.until } };
    const result = await by.send(content);
    if (result.outcome !== 'accepted') await mails.returnToBudgets({ budgets, takenAt });
    switch (result.outcome) {
      case 'accepted':
        return { fate: 'sent', settlement: { state: 'done', next: next?.() ?? null } };
      case 'refused':
        return result.permanent ? GIVEN_UP : retried(mail, clock.now());
      case 'unavailable':
        return null;
      default:
        return result satisfies never;
    }
  }

  /** Sends a mail unless there is nothing to say. Null if no mail server decided about it. */
  async function attempt(mail: Mail, by: Mailer): Promise<Decided | null> {
    const written = await writers[groupOf(mail)](mail);
    if (written === 'moot') return MOOT;
    if (written === 'early') return postponed(mail, clock.now(), EARLY_WAIT_MS);
    return deliver(mail, written, by);
  }

  /** Reports a fault of one mail, which must not stop the others. */
  async function attemptOrReport(mail: Mail, by: Mailer): Promise<Decided | null> {
    try {
      return await attempt(mail, by);
    } catch (fault) {
      const isUnavailable = isCountersignError(fault, 'SERVICE_UNAVAILABLE');
      // The database does not answer, so the mail cannot be settled either. Its lease ends.
      if (isUnavailable && !(fault.cause instanceof VerificationFault)) throw fault;
      onFault(fault);
      return isUnavailable ? postponed(mail, clock.now(), UNREADABLE_WAIT_MS) : retried(mail, clock.now());
    }
  }

  return {
    async send() {
      const counts = { sent: 0, moot: 0, waiting: 0, held: 0, givenUp: 0 };
      const refusedTooLong: Pick<Mail, 'id' | 'kind'>[] = [];
      if (mailer === undefined) return { ...counts, refusedTooLong, isAvailable: true, isDone: true };
      const now = clock.now();
      await deleteEndedBudgets(now);
      const leaseToken = secrets.randomHex(16);
      const until = new Date(now.getTime() + LEASE_MS);
      const leased = await mails.lease({ leaseToken, now, until, limit: AT_ONCE });
      let isAvailable = true;

      const sendOne = async (mail: Mail): Promise<void> => {
        // Another instance may have it by now.
        if (clock.now() >= until) return;
        const decided = isAvailable ? await attemptOrReport(mail, mailer) : null;
        if (decided === null) isAvailable = false;
        const { fate, settlement, isRefusedTooLong } = decided ?? postponed(mail, clock.now());
        const { outcome } = await mails.settle({ mailId: mail.id, leaseToken }, settlement);
        if (outcome !== 'settled') return;
        counts[fate] += 1;
        if (isRefusedTooLong) refusedTooLong.push({ id: mail.id, kind: mail.kind });
      };

      for (let first = 0; first < leased.length; first += TOGETHER) {
        await Promise.all(leased.slice(first, first + TOGETHER).map(sendOne));
      }
      return { ...counts, refusedTooLong, isAvailable, isDone: !isAvailable || leased.length < AT_ONCE };
    },

    backlog: () => mails.backlog({ now: clock.now(), limit: COUNTED }),
  };
}

/** A mail that a mail server refused for now. */
function retried({ plannedAt, heldUntil, attempts: before }: Mail, now: Date): Decided {
  const attempts = before + 1;
  // Time in which it was held back does not count.
  const dueAt = retryAt(heldUntil ?? plannedAt, attempts, now);
  if (dueAt === null) return { ...GIVEN_UP, isRefusedTooLong: true };
  return { fate: 'waiting', settlement: { state: 'waiting', dueAt, attempts } };
}

/** A mail that was not sent, and whose attempt does not count. It is never given up: what it says may become moot. */
function postponed({ attempts }: Mail, now: Date, waitMs: number = UNAVAILABLE_WAIT_MS): Decided {
  const dueAt = new Date(now.getTime() + waitMs);
  return { fate: 'waiting', settlement: { state: 'waiting', dueAt, attempts } };
}
