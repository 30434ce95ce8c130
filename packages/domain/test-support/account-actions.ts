import { type AccountActions, createAccountActions } from '../src/actions/account.ts';
import type { AccountPorts } from '../src/actions/account-records.ts';
import { type Caller, callerContext } from '../src/actions/caller.ts';
import { createThrottledSessions } from '../src/actions/throttled-sessions.ts';
import type { Accounts } from '../src/staff/accounts.ts';
import type { ManageStaff } from '../src/staff/manage-staff.ts';
import type { StaffSession } from '../src/staff/sign-in.ts';
import type { Visitor } from '../src/staff/sign-in-outcome.ts';
import type { User } from '../src/staff/user.ts';
import { portWith } from './port-with.ts';
import { nothingRecorded, type RecordedActions, recorderInto } from './recorded-actions.ts';
import { NOW } from './verifications.ts';

export const VISITOR: Visitor = { cookies: undefined, clientAddress: '192.0.2.1' };
export const ANONYMOUS: Caller = { kind: 'anonymous', from: VISITOR.clientAddress };

export const OPERATOR: User = {
  id: 'ola',
  email: 'ada@example.org',
  name: 'Ola',
  role: 'operator',
  clientId: null,
  teamRole: null,
};
export const OWNER: User = { ...OPERATOR, id: 'ann', role: 'client', clientId: 'client-1', teamRole: 'owner' };

/** Makes a session that began without a second factor, and whose identity was not confirmed. */
export function sessionOf(user: User, change: Partial<StaffSession> = {}): StaffSession {
  return { user, signedInAt: NOW, withSecondFactor: false, confirmedAt: null, ...change };
}

/** Makes a caller who is signed in with this session. */
export function callerWith(session: StaffSession): Caller {
  return { kind: 'user', session, from: VISITOR.clientAddress };
}

/** What actions recorded and reported. */
export interface AccountLog extends RecordedActions {
  readonly faults: unknown[];
}

export function emptyLog(): AccountLog {
  return { ...nothingRecorded(), faults: [] };
}

/** The actions of a caller on their account, with only these operations of accounts and staff. */
export function accountActions({
  accounts,
  staff,
  mail,
  caller = ANONYMOUS,
  now = () => NOW,
  log,
}: {
  readonly accounts: Partial<Accounts>;
  readonly staff?: Partial<ManageStaff> | undefined;
  readonly mail?: AccountPorts['mail'];
  readonly caller?: Caller | undefined;
  readonly now?: () => Date;
  readonly log: AccountLog;
}): AccountActions {
  const recorder = recorderInto(log);
  const clock = { now };
  const ports: AccountPorts = {
    accounts: portWith<Accounts>({ singleSignOn: undefined, passkeys: undefined, ...accounts }),
    staff: staff && portWith<ManageStaff>(staff),
    mail,
    clients: { find: async () => null },
    clock,
    recorder,
    throttledSessions: createThrottledSessions(clock, recorder),
    onFault: (fault) => void log.faults.push(fault),
  };
  return createAccountActions(ports, callerContext(caller));
}
