import { type Clock, isStorableText } from '@countersign/domain';
import {
  canSignIn,
  type IdentityKey,
  type NewUser,
  type User,
  type UserIdentities,
} from '@countersign/domain/staff';

/** What identities need of the users in memory. */
interface Users {
  find(userId: string): User | null;
  /** Null if the e-mail address has a user. */
  insert(input: NewUser, options: { readonly emailVerified: boolean }): User | null;
  hasUnverifiedEmail(userId: string): boolean;
  /** Uses a one-time link up. */
  useLink(userId: string, token: string): boolean;
  markOf(userId: string): string | null;
  hasPassword(userId: string): boolean;
  connected(userId: string, at: Date): void;
  /** Every identity was deleted. */
  disconnected(userId: string): void;
  endPassword(userId: string): void;
  endSessions(userId: string): void;
  endPasskeys(userId: string): void;
}

interface StoredIdentity extends IdentityKey {
  readonly userId: string;
  readonly inSession: boolean;
  withdrawnAt: Date | null;
}

interface MemoryIdentities extends UserIdentities {
  /** Whether a provider that did not withdraw it has an identity of the user. */
  isConnected(userId: string): boolean;
  /** Whether every provider has withdrawn the user's access, and no password is allowed. */
  isShutOut(userId: string): boolean;
  /** Deletes the identities of a removed user. */
  forget(userId: string): void;
  /** Deletes the identities that end when a link sets the password. */
  passwordSet(userId: string): void;
}

/** `UserIdentities` in memory. No operation awaits anything, so each is atomic. */
export function createMemoryIdentities({
  clock,
  users,
}: {
  readonly clock: Clock;
  readonly users: Users;
}): MemoryIdentities {
  let stored: StoredIdentity[] = [];
  const allowedUntil = new Map<string, Date>();

  const rowOf = ({ issuer, subject }: IdentityKey) =>
    stored.find((each) => each.issuer === issuer && each.subject === subject);
  const rowsOf = (userId: string) => stored.filter((each) => each.userId === userId);
  const isWithdrawn = (userId: string): boolean =>
    rowsOf(userId).length > 0 && rowsOf(userId).every(({ withdrawnAt }) => withdrawnAt !== null);
  const isAllowed = (userId: string): boolean => (allowedUntil.get(userId) ?? new Date(0)) > clock.now();

  return {
    async find(key) {
      const row = rowOf(key);
      const user = row === undefined ? null : users.find(row.userId);
      return row === undefined || user === null ? null : { user, withdrawnAt: row.withdrawnAt };
    },

    async issuersOf(userId) {
      return rowsOf(userId)
        .filter(({ withdrawnAt }) => withdrawnAt === null)
        .map(({ issuer }) => issuer)
        .sort();
    },

    async connect(userId, { issuer, subject }, proof) {
      if (users.find(userId) === null || !isStorable({ issuer, subject })) return { outcome: 'refused' };
      if (proof.kind === 'mark' && users.markOf(userId) !== proof.mark) return { outcome: 'refused' };
      if (proof.kind === 'session' && isWithdrawn(userId)) return { outcome: 'refused' };
      const row = rowOf({ issuer, subject });
      const isOther = row === undefined && rowsOf(userId).some((each) => each.issuer === issuer);
      const isTaken = isOther || (row !== undefined && row.userId !== userId);
      // A link that works is used up by the call that connects.
      if (proof.kind === 'token' && !isTaken && !users.useLink(userId, proof.token)) return { outcome: 'refused' };
      if (isTaken) return { outcome: 'taken' };
      if (row === undefined)
        stored.push({ issuer, subject, userId, inSession: proof.kind === 'session', withdrawnAt: null });
      users.connected(userId, clock.now());
      if (proof.kind === 'token' || proof.kind === 'mark') {
        users.endPassword(userId);
        users.endSessions(userId);
      }
      return { outcome: 'connected' };
    },

    async hasUnverifiedEmail(userId) {
      return users.hasUnverifiedEmail(userId);
    },

    async provision(input, { issuer, subject }, options) {
      if (!isStorable({ issuer, subject }) || rowOf({ issuer, subject }) !== undefined)
        return { outcome: 'exists' };
      const user = users.insert(input, options);
      if (user === null) return { outcome: 'exists' };
      stored.push({ issuer, subject, userId: user.id, inSession: false, withdrawnAt: null });
      users.connected(user.id, clock.now());
      return { outcome: 'created', user };
    },

    async recordUse({ userId, key, withdrawnAt, endPassword }) {
      const row = rowOf(key);
      if (row?.userId !== userId || row.withdrawnAt?.getTime() !== withdrawnAt?.getTime()) return false;
      row.withdrawnAt = null;
      users.connected(row.userId, clock.now());
      if (endPassword && !isAllowed(row.userId)) users.endPassword(row.userId);
      return true;
    },

    async withdraw(userId) {
      for (const row of rowsOf(userId)) row.withdrawnAt = clock.now();
      users.endPassword(userId);
      users.endPasskeys(userId);
      users.endSessions(userId);
    },

    async disconnect(userId) {
      stored = stored.filter((each) => each.userId !== userId);
      users.disconnected(userId);
      users.endSessions(userId);
      return users.find(userId);
    },

    async disconnectOne(userId, issuer, accepted) {
      const identities = rowsOf(userId).map((row) => ({
        issuer: row.issuer,
        isWithdrawn: row.withdrawnAt !== null,
      }));
      if (!identities.some((each) => each.issuer === issuer && !each.isWithdrawn)) return { outcome: 'not_found' };
      const others = identities.filter((each) => each.issuer !== issuer);
      const hasPassword = users.hasPassword(userId);
      if (!canSignIn({ hasPassword, identities: others }, accepted)) return { outcome: 'last_way' };
      stored = stored.filter((each) => each.userId !== userId || each.issuer !== issuer);
      users.endSessions(userId);
      return { outcome: 'disconnected' };
    },

    async allowPassword(userId, forMs) {
      const user = users.find(userId);
      if (user !== null) allowedUntil.set(userId, new Date(clock.now().getTime() + forMs));
      return user;
    },

    async isPasswordAllowed(userId) {
      return isAllowed(userId);
    },

    isConnected: (userId) => rowsOf(userId).some(({ withdrawnAt }) => withdrawnAt === null),

    isShutOut: (userId) => isWithdrawn(userId) && !isAllowed(userId),

    forget(userId) {
      stored = stored.filter((each) => each.userId !== userId);
    },

    passwordSet(userId) {
      if (isAllowed(userId)) return;
      stored = stored.filter((each) => each.userId !== userId || !each.inSession || each.withdrawnAt !== null);
    },
  };
}

function isStorable({ issuer, subject }: IdentityKey): boolean {
  return [issuer, subject].every((text) => text !== '' && isStorableText(text));
}
