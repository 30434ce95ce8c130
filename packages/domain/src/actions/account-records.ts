import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import type { JsonObject } from '../input/json.ts';
import type { Ids, Runtime } from '../runtime.ts';
import type { Accounts, Invitation } from '../staff/accounts.ts';
import type { MailedLinks, MailRecipient, MailRecipients } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { SignInOutcome, Visitor } from '../staff/sign-in-outcome.ts';
import type { QueueUserMails } from '../staff/user-mails.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { type CallerContext, callerContext } from './caller.ts';
import type { Outcome, ThrottledSessions } from './throttled-sessions.ts';

/** What mails to users need. */
export interface AccountMail {
  readonly recipients: MailRecipients;
  readonly links: MailedLinks;
  readonly mails: QueueUserMails;
  readonly ids: Ids;
}

export interface AccountPorts extends Pick<Runtime, 'clock' | 'onFault'> {
  readonly accounts: Accounts;
  /** Finds the account that a sign-in tried. Without it, entries of refused sign-ins name no account. */
  readonly staff: ManageStaff | undefined;
  /** Undefined in a service that sends no mails to users. Its mailed links open nothing then. */
  readonly mail?: AccountMail | undefined;
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly recorder: AuditRecorder;
  readonly throttledSessions: ThrottledSessions;
}

/** How actions of users on their own account are recorded, and the link that a user joins with. */
export interface AccountRecords {
  attemptOf(action: AuditAction): Attempt;
  /** An attempt on the account with this e-mail address, which the entry names by its id. */
  attemptOn(email: string, action: AuditAction): Promise<Attempt>;
  /** Records what was done with these cookies. If the entry cannot be written, ends their session and rejects. */
  recordDone(visitor: Visitor, attempt: Attempt): Promise<void>;
  /** Runs part of a sign-in or a join. A fault leaves an entry, even if the tried account cannot be found meanwhile. */
  recordingFaults<T>(action: AuditAction, run: () => Promise<T>, attempt?: () => Promise<Attempt>): Promise<T>;
  /** Records the outcome of a sign-in. */
  recorded(
    visitor: Visitor,
    attempted: SignInOutcome,
    attempt: () => Promise<Attempt>,
    detail?: JsonObject,
  ): Promise<SignInOutcome>;
  /** Returns the user of a one-time link that sets a password, and what a mailed one was made for. */
  passwordLinkOf(token: string): Promise<PasswordLink | null>;
  /** Returns the name of a client, which is an obvious guess at the passwords of its team. */
  nameOfClient(clientId: string | null): Promise<string | undefined>;
}

/** A one-time link that sets a password. `recipient`: of a mailed link; null for one that was passed on. */
export interface PasswordLink {
  readonly invitation: Invitation;
  readonly recipient: MailRecipient | null;
}

export function createAccountRecords(ports: AccountPorts, caller: CallerContext): AccountRecords {
  const { accounts, staff, mail, clients, recorder, onFault } = ports;
  const { actor, from, team } = caller;

  const attemptOf = (action: AuditAction): Attempt => {
    return { actor, from, action, clientId: team?.clientId ?? null, targetId: null, detail: {} };
  };

  async function attemptOn(email: string, action: AuditAction): Promise<Attempt> {
    const user = (await staff?.findByEmail(email)) ?? null;
    return { ...attemptOf(action), targetId: user?.id ?? null, clientId: user?.clientId ?? null };
  }

  /** Ends the session of these cookies after a fault. Never rejects. */
  async function endSession(visitor: Visitor): Promise<void> {
    try {
      await accounts.signOut(visitor);
    } catch (fault) {
      // The session's cookies are never sent.
      onFault(fault);
    }
  }

  async function recordDone(visitor: Visitor, attempt: Attempt): Promise<void> {
    await recorder.act({ attempt, run: async () => undefined }).catch(async (fault: unknown) => {
      await endSession(visitor);
      throw fault;
    });
  }

  /** Keeps the language of the page for mails. A fault does not stop the sign-in. */
  async function keepLocale(userId: string, locale: string | undefined): Promise<void> {
    if (locale !== undefined) await mail?.recipients.keepLocale(userId, locale).catch(onFault);
  }

  /** Records the session that has just begun. If its entry cannot be written, ends the session and rejects. */
  async function recordSession(
    { clientAddress, locale }: Visitor,
    outcome: SignedIn,
    more: JsonObject,
  ): Promise<SignInOutcome> {
    const visitor = { cookies: cookieHeaderOf(outcome.setCookies), clientAddress };
    try {
      const begun = await accounts.identify(visitor.cookies);
      // A new password or the removal of the account may have ended it already.
      if (begun === null) return REFUSED;
      const user = callerContext({ kind: 'user', session: begun, from: clientAddress });
      const detail = { withSecondFactor: begun.withSecondFactor, ...more };
      const about = { actor: user.actor, clientId: user.team?.clientId ?? null, detail };
      await recorder.act({ attempt: { ...attemptOf('account.sign_in'), ...about }, run: async () => undefined });
      await keepLocale(begun.user.id, locale);
      return outcome;
    } catch (fault) {
      await endSession(visitor);
      throw fault;
    }
  }

  async function nameOfClient(clientId: string | null): Promise<string | undefined> {
    return clientId === null ? undefined : (await clients.find(clientId))?.client.name;
  }

  async function recordingFaults<T>(
    action: AuditAction,
    run: () => Promise<T>,
    attempt: () => Promise<Attempt> = async () => attemptOf(action),
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      await recorder.notDone(await attempt().catch(() => attemptOf(action)), error);
      throw error;
    }
  }

  async function recorded(
    visitor: Visitor,
    attempted: SignInOutcome,
    attempt: () => Promise<Attempt>,
    detail: JsonObject = {},
  ): Promise<SignInOutcome> {
    const outcome =
      attempted.outcome === 'signed_in' ? await recordSession(visitor, attempted, detail) : attempted;
    const code = refusalOf(outcome);
    if (code !== null) await recorder.refused(await attempt(), code);
    return outcome;
  }

  async function passwordLinkOf(token: string): Promise<PasswordLink | null> {
    const recipient = (await mail?.links.read(token, 'password')) ?? null;
    if (recipient !== null) {
      const { email, name } = recipient.user;
      const mayUse = (await accounts.singleSignOn?.mayUsePassword(recipient.user)) ?? true;
      const isReset = recipient.passwordSetAt !== null;
      return { invitation: { email, name, isReset, ...(!mayUse && { mayUsePassword: false }) }, recipient };
    }
    const invitation = await accounts.invitationOf(token);
    return invitation && { invitation, recipient: null };
  }

  return { attemptOf, attemptOn, recordDone, recordingFaults, recorded, passwordLinkOf, nameOfClient };
}

export const REFUSED = { outcome: 'refused' } as const;

type SignedIn = SignInOutcome & { readonly outcome: 'signed_in' };

/** Returns the code of a refusal for the entry, or null. It does not say which of e-mail, password, code and link was wrong. */
export function refusalOf({ outcome }: Outcome): string | null {
  switch (outcome) {
    case 'refused':
      return 'CREDENTIALS_REFUSED';
    case 'password_refused':
      return 'PASSWORD_REFUSED';
    case 'throttled':
      return 'RATE_LIMIT_EXCEEDED';
    default:
      return null;
  }
}

/** Returns the `Cookie` header that a browser sends after it received these. */
function cookieHeaderOf(setCookies: readonly string[]): string {
  const pairs = setCookies.map((line) => line.split(';', 1)[0] ?? '');
  // A pair without a value deletes its cookie.
  return pairs.filter((pair) => pair.indexOf('=') < pair.length - 1).join('; ');
}
