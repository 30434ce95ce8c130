import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountLog,
  ANONYMOUS,
  accountActions,
  callerWith,
  emptyLog,
  OPERATOR,
  OWNER,
  sessionOf,
  VISITOR,
} from '../../test-support/account-actions.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { Passkeys } from '../staff/passkeys.ts';
import type { Caller } from './caller.ts';

const REQUEST = { options: '{}', setCookies: ['passkey=1'] };
const ADDED = { name: 'Laptop', response: '{}' };
/** A user who may change their passkeys. */
const SIGNED_IN = callerWith(sessionOf(OPERATOR, { withSecondFactor: true, confirmedAt: NOW }));

let log: AccountLog;
beforeEach(() => {
  log = emptyLog();
});

function account(operations: Partial<Passkeys> | undefined, caller: Caller = ANONYMOUS) {
  const passkeys = operations && portWith<Passkeys>(operations);
  return accountActions({ accounts: { passkeys, hasSecondFactor: async () => true }, caller, log });
}

describe('beginPasskey', () => {
  it('beginPasskey returns what the browser passes to the authenticator', async () => {
    expect(await account({ begin: async () => REQUEST }).beginPasskey(VISITOR, 'sign_in')).toEqual(REQUEST);
  });

  it.each<[what: string, operations: Partial<Passkeys> | undefined]>([
    ['a service without passkeys', undefined],
    ['a second factor of a user without passkeys', { begin: async () => null }],
  ])('beginPasskey begins nothing for %s', async (_, operations) => {
    expect(await account(operations).beginPasskey(VISITOR, 'second_factor')).toBeNull();
  });
});

it('enterPasskey records a refused answer with its check and the user of the passkey', async () => {
  const finish: Passkeys['finish'] = async () => ({ outcome: 'refused', check: 'counter', user: OWNER });
  const entered = await account({ finish }).enterPasskey(VISITOR, { purpose: 'sign_in', response: '{}' });
  expect(entered).toEqual({ outcome: 'refused' });
  const { id: targetId, clientId } = OWNER;
  expect(log.refused).toMatchObject([
    [
      { action: 'account.sign_in', targetId, clientId, detail: { passkey: true, check: 'counter' } },
      'CREDENTIALS_REFUSED',
    ],
  ]);
});

it('passkeyAccess asks a visitor without a session for a second factor', async () => {
  expect(await account({}).passkeyAccess(VISITOR)).toBe('second_factor_needed');
  expect(await account({}, SIGNED_IN).passkeyAccess(VISITOR)).toBe('allowed');
});

it.each<[what: string, operations: Partial<Passkeys> | undefined, caller: Caller]>([
  ['a service without passkeys', undefined, SIGNED_IN],
  ['an anonymous visitor', {}, ANONYMOUS],
])('%s adds and removes no passkey: attempts are refused with entries', async (_, operations, caller) => {
  const { beginAddingPasskey, addPasskey, removePasskey } = account(operations, caller);
  expect(await beginAddingPasskey(VISITOR)).toBeNull();
  expect(await addPasskey(VISITOR, ADDED)).toEqual({ outcome: 'refused' });
  expect(await removePasskey(VISITOR, 'passkey-1')).toEqual({ outcome: 'refused' });
  expect(log.ran).toEqual([]);
  expect(log.refused).toMatchObject([
    [{ action: 'account.add_passkey' }, 'NOT_ALLOWED'],
    [{ action: 'account.remove_passkey' }, 'NOT_ALLOWED'],
  ]);
});
