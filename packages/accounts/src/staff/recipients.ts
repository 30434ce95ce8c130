import { hash } from 'node:crypto';
import { isStorableText } from '@countersign/domain';
import type { MailRecipient, MailRecipients } from '@countersign/domain/mail';
import type { Kysely } from 'kysely';
import type { StaffDatabase, Tables } from '../database/tables.ts';
import { USER_COLUMNS, userOf } from './users.ts';

/** Implements `MailRecipients` on the tables of accounts. */
export function createRecipients(database: () => Promise<StaffDatabase>): MailRecipients {
  return {
    async findRecipient(userId) {
      if (!isStorableText(userId)) return null;
      const db = await database();
      const row = await db
        .selectFrom('staff_users')
        .select(USER_COLUMNS)
        .select(['locale', 'two_factor_enabled'])
        .where('id', '=', userId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { locale, two_factor_enabled: enabled, ...user } = row;
      return {
        user: userOf(user),
        locale,
        password: await passwordOf(db, userId),
        secondFactor: enabled ? await secondFactorOf(db, userId) : null,
      };
    },

    async keepLocale(userId, locale) {
      if (!isStorableText(userId)) return;
      const db = await database();
      await db
        .updateTable('staff_users')
        .set({ locale })
        .where('id', '=', userId)
        .where((is) => is.or([is('locale', 'is', null), is('locale', '!=', locale)]))
        .execute();
    },
  };
}

/**
 * Reads the mark of a user's password, and when it was set. Without a password, the mark of their identities: connecting one, and a
 * provider that withdraws access, ends links that were made before. Null without either.
 */
export async function passwordOf(
  db: Kysely<Tables>,
  userId: string,
): Promise<{ readonly mark: string; readonly setAt: Date } | null> {
  const row = await db
    .selectFrom('staff_accounts')
    .select(['password', 'updated_at'])
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  if (row === undefined || row.password === null) return identityMarkOf(db, userId);
  return { mark: markOf('password', row.password), setAt: new Date(row.updated_at) };
}

async function identityMarkOf(
  db: Kysely<Tables>,
  userId: string,
): Promise<{ readonly mark: string; readonly setAt: Date } | null> {
  const rows = await db
    .selectFrom('staff_identities')
    .select(['id', 'created_at', 'withdrawn_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const each = rows.map((row) => `${row.id}${row.withdrawn_at === null ? '' : ' withdrawn'}`);
  return { mark: markOf('identities', each.join(' ')), setAt: new Date(first.created_at) };
}

/**
 * Reads the mark of a user's second factor, and when it was confirmed; null without one. Each set-up makes a row of its own, so the id
 * marks it; the secret would not, because a new key seals it anew.
 */
export async function secondFactorOf(db: Kysely<Tables>, userId: string): Promise<MailRecipient['secondFactor']> {
  const row = await db
    .selectFrom('staff_two_factors')
    .select(['id', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    mark: markOf('second factor', row.id),
    setAt: row.confirmed_at === null ? null : new Date(row.confirmed_at),
  };
}

/** The values are salted or random, so that a mark tells nothing of them. */
function markOf(what: string, value: string): string {
  return hash('sha256', `${what} ${value}`, 'base64url');
}
