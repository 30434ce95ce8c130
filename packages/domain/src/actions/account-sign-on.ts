import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt } from '../audit/audit-recorder.ts';
import { CountersignError } from '../errors.ts';
import type {
  ProviderPolicy,
  ProviderUnavailable,
  SignOnPurpose,
  SingleSignOn,
} from '../staff/identity-provider.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import { userEmailOf } from '../staff/new-user.ts';
import type { Visitor } from '../staff/sign-in-outcome.ts';
import type { User } from '../staff/user.ts';
import { createOwnIdentities } from './account-providers.ts';
import type { AccountPorts, AccountRecords } from './account-records.ts';
import type { CallerContext } from './caller.ts';
import { isConfirmed } from './rights.ts';
import {
  createSignOnChanges,
  SIGN_ON_CODES,
  type SignOn,
  type SignOnOutcome,
  type SignOnRefusal,
} from './sign-on-changes.ts';
import { createSignOnEntry } from './sign-on-entry.ts';

/** Signing in, joining and confirming the identity at an identity provider. Each is recorded. */
export interface SignOnActions {
  /**
   * Sends the visitor to a provider. Leaves no entry, because nothing changes. Undefined for an unknown provider. To connect a
   * provider, the user is signed in and has confirmed their identity (`isConfirmed`).
   */
  beginSignOn(
    visitor: Visitor,
    request: { readonly providerId: string; readonly purpose: SignOnPurpose; readonly returnTo: string | null },
  ): Promise<
    | Exclude<Awaited<ReturnType<SingleSignOn['begin']>>, ProviderUnavailable>
    | Omit<ProviderUnavailable, 'cause'>
    | { readonly outcome: 'confirmation_needed' }
    | undefined
  >;
  /** Does what the visitor was sent to the provider for. Undefined for an unknown provider. */
  finishSignOn(
    visitor: Visitor,
    answer: { readonly providerId: string; readonly query: string },
  ): Promise<SignOnOutcome | undefined>;
}

export function createSignOnActions(
  ports: AccountPorts,
  caller: CallerContext,
  records: AccountRecords,
): SignOnActions {
  const { accounts, staff, clock, recorder, onFault } = ports;
  const changes = createSignOnChanges(recorder);
  const entry = createSignOnEntry(ports, records, changes);
  const own = createOwnIdentities(caller, records, changes);

  function find(
    providerId: string,
  ): { sso: SingleSignOn; staff: ManageStaff; policy: ProviderPolicy } | undefined {
    const sso = accounts.singleSignOn;
    const policy = sso?.policies.find(({ id }) => id === providerId);
    return sso === undefined || staff === undefined || policy === undefined ? undefined : { sso, staff, policy };
  }

  function mayConnect(userId: string): boolean {
    const { session } = caller;
    return session?.user.id === userId && isConfirmed(session, clock.now());
  }

  function report({ cause }: ProviderUnavailable): CountersignError {
    const fault = new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause });
    onFault(fault);
    return fault;
  }

  return {
    async beginSignOn(visitor, request) {
      const { purpose } = request;
      if (purpose.kind === 'connect' && !mayConnect(purpose.userId)) return { outcome: 'confirmation_needed' };
      const begun = await find(request.providerId)?.sso.begin(visitor, request);
      if (begun?.outcome !== 'unavailable') return begun;
      report(begun);
      return { outcome: 'unavailable', reason: begun.reason };
    },

    async finishSignOn(visitor, answer) {
      const found = find(answer.providerId);
      if (found === undefined) return undefined;
      const { sso, policy } = found;
      const attemptOf = (action: AuditAction, user?: User): Attempt => ({
        ...records.attemptOf(action),
        detail: { provider: policy.id },
        ...(user !== undefined && { targetId: user.id, clientId: user.clientId }),
      });
      const checked = await records.recordingFaults('account.sign_in', () => sso.finish(visitor, answer));
      if (checked.outcome === 'unavailable') {
        await recorder.notDone(attemptOf('account.sign_in'), report(checked));
        return { outcome: 'unavailable', reason: checked.reason };
      }
      const kind = checked.purpose?.kind ?? null;
      const refuse = async (
        reason: SignOnRefusal,
        attempt = attemptOf('account.sign_in'),
      ): Promise<SignOnOutcome> => {
        await recorder.refused(attempt, SIGN_ON_CODES[reason]);
        return { outcome: 'not_signed_on', reason, purpose: kind, setCookies: checked.setCookies };
      };
      if (checked.outcome === 'refused') {
        const attempt = attemptOf('account.sign_in');
        const { check, cause } = checked;
        // The provider or its settings are wrong: a user in the browser cannot change an ID token.
        const isToken = check === 'token';
        if (isToken && cause !== undefined) onFault(cause);
        return refuse(isToken ? 'not_genuine' : 'not_accepted', {
          ...attempt,
          detail: { ...attempt.detail, check },
        });
      }
      const { purpose, returnTo } = checked;
      const { email } = checked.identity;
      // An address that no user can have counts as missing.
      const identity = { ...checked.identity, email: email === null ? null : userEmailOf(email) };
      const sign: SignOn = { ...found, identity, purpose: purpose.kind, attemptOf, refuse, visitor };
      switch (purpose.kind) {
        case 'confirm':
          return withCookies(await own.confirm(sign), checked.setCookies, returnTo);
        case 'join':
          return withCookies(await entry.join(sign, purpose.token), checked.setCookies, returnTo);
        case 'connect':
          return withCookies(await own.connect(sign, purpose.userId), checked.setCookies, returnTo);
        case 'sign_in':
          return withCookies(await entry.signIn(sign), checked.setCookies, returnTo);
        default:
          return purpose satisfies never;
      }
    },
  };
}

/** Adds the cookies of the finished request and the path that it was for. */
function withCookies(
  outcome: SignOnOutcome,
  setCookies: readonly string[],
  returnTo: string | null,
): SignOnOutcome {
  switch (outcome.outcome) {
    case 'signed_in':
    case 'second_factor_needed':
    case 'confirmed':
    case 'connected':
      return { ...outcome, setCookies: [...setCookies, ...outcome.setCookies], returnTo };
    case 'not_signed_on':
      return { ...outcome, setCookies };
    default:
      return outcome;
  }
}
