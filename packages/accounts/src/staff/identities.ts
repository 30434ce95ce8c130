import { randomUUID } from 'node:crypto';
import { type Clock, isStorableText } from '@countersign/domain';
import { canSignIn, checkNewUser, type IdentityKey, type UserIdentities } from '@countersign/domain/staff';
import type { Transaction } from 'kysely';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';
import { endSessions, lockUser, useInvitation } from './invitations.ts';
import { passwordOf } from './recipients.ts';
import { columnsOf, findUser, USER_COLUMNS, userOf } from './users.ts';
import { endWithheld } from './withheld-invitations.ts';

/** Thrown to roll a transaction back. */
class Refused extends Error {
  readonly outcome: 'refused' | 'taken';
  constructor(outcome: 'refused' | 'taken') {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Whether every provider of a user has withdrawn their access; false for users without a provider. */
export async function isAccessWithdrawn(db: StaffDatabase, userId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('staff_identities')
    .select('withdrawn_at')
    .where('user_id', '=', userId)
    .execute();
  return rows.length > 0 && rows.every((row) => row.withdrawn_at !== null);
}

/** Implements `UserIdentities` on the tables of accounts. */
export function createIdentities(
  database: () => Promise<StaffDatabase>,
  clock: Clock,
  kind: AccountsDatabase['kind'],
): UserIdentities {
  const now = () => clock.now().toISOString();

  /** Inserts the identity, unless the user has exactly this one. @throws Refused `taken` */
  async function insert(
    db: Transaction<Tables>,
    userId: string,
    key: IdentityKey,
    { inSession = false } = {},
  ): Promise<void> {
    const { issuer, subject } = key;
    const row = await db
      .insertInto('staff_identities')
      .values((is) => ({
        id: randomUUID(),
        user_id: userId,
        issuer,
        subject,
        in_session: is.lit(inSession),
        created_at: now(),
      }))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined && (await rowOf(db, key))?.id !== userId) throw new Refused('taken');
  }

  return {
    async find(key) {
      const row = isStorable(key) ? await rowOf(await database(), key) : undefined;
      return row === undefined
        ? null
        : {
            user: userOf(row),
            withdrawnAt: row.withdrawn_at === null ? null : new Date(row.withdrawn_at),
          };
    },

    async issuersOf(userId) {
      if (!isStorableText(userId)) return [];
      const db = await database();
      const rows = await db
        .selectFrom('staff_identities')
        .select('issuer')
        .where('user_id', '=', userId)
        .where('withdrawn_at', 'is', null)
        .orderBy('issuer')
        .execute();
      return rows.map(({ issuer }) => issuer);
    },

    async connect(userId, key, proof) {
      if (!isStorableText(userId) || !isStorable(key)) return { outcome: 'refused' };
      const db = await database();
      try {
        await db.transaction().execute(async (transaction) => {
          if (!(await lockUser(transaction, userId, kind))) throw new Refused('refused');
          switch (proof.kind) {
            case 'token':
              if ((await useInvitation(transaction, proof.token, clock.now())) !== userId)
                throw new Refused('refused');
              break;
            case 'mark':
              if ((await passwordOf(transaction, userId)).passwordMark !== proof.mark)
                throw new Refused('refused');
              break;
            case 'session':
              if (await isAccessWithdrawn(transaction, userId)) throw new Refused('refused');
              break;
            case 'email':
              break;
            default:
              proof satisfies never;
          }
          await insert(transaction, userId, key, { inSession: proof.kind === 'session' });
          if (proof.kind === 'token' || proof.kind === 'mark') await endPassword(transaction, userId);
        });
        return { outcome: 'connected' };
      } catch (error) {
        if (error instanceof Refused) return { outcome: error.outcome };
        throw error;
      }
    },

    async hasUnverifiedEmail(userId) {
      const user = await columnsOf(await database(), userId, ['has_unverified_email']);
      return Boolean(user?.has_unverified_email);
    },

    async provision(input, key, { emailVerified }) {
      const { email, name, role, clientId, teamRole } = checkNewUser(input);
      if (!isStorable(key)) return { outcome: 'exists' };
      const db = await database();
      const user = { id: randomUUID(), email, name, role, client_id: clientId, team_role: teamRole };
      try {
        return await db.transaction().execute(async (transaction) => {
          const row = await transaction
            .insertInto('staff_users')
            .values((is) => ({
              ...user,
              locale: null,
              has_unverified_email: is.lit(!emailVerified),
              created_at: now(),
              updated_at: now(),
            }))
            .onConflict((conflict) => conflict.column('email').doNothing())
            .returning(USER_COLUMNS)
            .executeTakeFirst();
          if (row === undefined) throw new Refused('taken');
          await insert(transaction, row.id, key);
          await endWithheld(transaction, { clientId, email });
          return { outcome: 'created' as const, user: userOf(row) };
        });
      } catch (error) {
        if (error instanceof Refused) return { outcome: 'exists' };
        throw error;
      }
    },

    async recordUse({ userId, key, withdrawnAt, endPassword: endsPassword }) {
      if (!isStorableText(userId) || !isStorable(key)) return false;
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        const used = await transaction
          .updateTable('staff_identities')
          .set({ used_at: now(), withdrawn_at: null })
          .where('user_id', '=', userId)
          .where('issuer', '=', key.issuer)
          .where('subject', '=', key.subject)
          .where('withdrawn_at', withdrawnAt === null ? 'is' : '=', withdrawnAt?.toISOString() ?? null)
          .returning('user_id')
          .executeTakeFirst();
        if (used === undefined) return false;
        if (!endsPassword) return true;
        const ended = await transaction
          .deleteFrom('staff_accounts')
          .where('user_id', '=', userId)
          .where('user_id', 'not in', (users) =>
            users.selectFrom('staff_users').select('id').where('password_allowed_until', '>', now()),
          )
          .returning('id')
          .execute();
        if (ended.length > 0) await endLinks(transaction, userId);
        return true;
      });
    },

    async withdraw(userId) {
      if (!isStorableText(userId)) return;
      const db = await database();
      await db.transaction().execute(async (transaction) => {
        if (!(await lockUser(transaction, userId, kind))) return;
        await transaction
          .updateTable('staff_identities')
          .set({ withdrawn_at: now() })
          .where('user_id', '=', userId)
          .execute();
        await transaction.deleteFrom('staff_invitations').where('user_id', '=', userId).execute();
        await transaction.deleteFrom('staff_passkeys').where('user_id', '=', userId).execute();
        await endPassword(transaction, userId);
      });
    },

    async disconnect(userId) {
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        if (!isStorableText(userId) || !(await lockUser(transaction, userId, kind))) return null;
        await transaction.deleteFrom('staff_identities').where('user_id', '=', userId).execute();
        await endLinks(transaction, userId);
        await endSessions(transaction, userId);
        return findUser(transaction, 'id', userId);
      });
    },

    async disconnectOne(userId, issuer, accepted) {
      if (!isStorableText(userId) || !isStorableText(issuer)) return { outcome: 'not_found' };
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        if (!(await lockUser(transaction, userId, kind))) return { outcome: 'not_found' };
        const rows = await transaction
          .selectFrom('staff_identities')
          .select(['issuer', 'withdrawn_at'])
          .where('user_id', '=', userId)
          .execute();
        const identities = rows.map((row) => ({ issuer: row.issuer, isWithdrawn: row.withdrawn_at !== null }));
        if (!identities.some((each) => each.issuer === issuer && !each.isWithdrawn))
          return { outcome: 'not_found' };
        const others = identities.filter((each) => each.issuer !== issuer);
        const account = await transaction
          .selectFrom('staff_accounts')
          .select('id')
          .where('user_id', '=', userId)
          .executeTakeFirst();
        const hasPassword = account !== undefined;
        if (!canSignIn({ hasPassword, identities: others }, accepted)) return { outcome: 'last_way' };
        await transaction
          .deleteFrom('staff_identities')
          .where('user_id', '=', userId)
          .where('issuer', '=', issuer)
          .execute();
        await endLinks(transaction, userId);
        await endSessions(transaction, userId);
        return { outcome: 'disconnected' };
      });
    },

    async allowPassword(userId, forMs) {
      if (!isStorableText(userId)) return null;
      const db = await database();
      const until = new Date(clock.now().getTime() + forMs).toISOString();
      const row = await db
        .updateTable('staff_users')
        .set({ password_allowed_until: until })
        .where('id', '=', userId)
        .returning(USER_COLUMNS)
        .executeTakeFirst();
      return row === undefined ? null : userOf(row);
    },

    async isPasswordAllowed(userId) {
      const user = await columnsOf(await database(), userId, ['password_allowed_until']);
      const until = user?.password_allowed_until ?? null;
      return until !== null && new Date(until) > clock.now();
    },
  };
}

function rowOf(db: StaffDatabase, { issuer, subject }: IdentityKey) {
  return db
    .selectFrom('staff_identities')
    .innerJoin('staff_users', 'staff_users.id', 'staff_identities.user_id')
    .select(['staff_users.id', 'email', 'name', 'role', 'client_id', 'team_role', 'withdrawn_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Changes the mark of a user without a password (`passwordOf`) to one that they never had. */
async function endLinks(transaction: Transaction<Tables>, userId: string): Promise<void> {
  await transaction
    .updateTable('staff_users')
    .set({ ended_mark: randomUUID() })
    .where('id', '=', userId)
    .execute();
}

/** Deletes a user's password, and ends what began with it, and mailed links. */
async function endPassword(transaction: Transaction<Tables>, userId: string): Promise<void> {
  await endLinks(transaction, userId);
  await transaction.deleteFrom('staff_accounts').where('user_id', '=', userId).execute();
  await endSessions(transaction, userId);
}

/** Longer values than providers give (OpenID Connect Core, section 2: at most 255 ASCII characters) are not looked up. */
const KEY_MAX = 1_000;

function isStorable({ issuer, subject }: IdentityKey): boolean {
  return [issuer, subject].every((text) => text !== '' && text.length <= KEY_MAX && isStorableText(text));
}
