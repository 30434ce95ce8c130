import { hash } from 'node:crypto';
import { isStorableText } from '@countersign/domain';
import type { MailRecipient, MailRecipients } from '@countersign/domain/mail';
import type { Kysely } from 'kysely';
import type { StaffDatabase, Tables } from '../database/tables.ts';
import { columnsOf, USER_COLUMNS, userOf } from './users.ts';

/** Implements `MailRecipients` on the tables of accounts. */
export function createRecipients(database: () => Promise<StaffDatabase>): MailRecipients {
  return {
    async findRecipient(userId) {
      const db = await database();
      const columns = [...USER_COLUMNS, 'locale', 'two_factor_enabled', 'has_unverified_email'] as const;
      const row = await columnsOf(db, userId, columns);
      if (row === undefined) return null;
      const { locale, two_factor_enabled: enabled, has_unverified_email: isUnverified, ...user } = row;
      return {
        user: userOf(user),
        locale,
        hasUnverifiedEmail: Boolean(isUnverified),
        ...(await passwordOf(db, userId)),
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
 * Reads the mark of a user's password, and when it was set. Without a password, the mark is that of their identities and of what ended
 * before: connecting and disconnecting one, and a provider that withdraws access, end links that were made before. The mark of a password
 * is its hash, which is salted, so no mark occurs twice.
 */
export async function passwordOf(
  db: Kysely<Tables>,
  userId: string,
): Promise<Pick<MailRecipient, 'passwordMark' | 'passwordSetAt'>> {
  const row = await db
    .selectFrom('staff_accounts')
    .select(['password', 'updated_at'])
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  if (row === undefined || row.password === null) return identitiesOf(db, userId);
  return { passwordMark: markOf('password', row.password), passwordSetAt: new Date(row.updated_at) };
}

async function identitiesOf(db: Kysely<Tables>, userId: string): ReturnType<typeof passwordOf> {
  const rows = await db
    .selectFrom('staff_users')
    .leftJoin('staff_identities', 'staff_identities.user_id', 'staff_users.id')
    .select(['ended_mark', 'staff_identities.id', 'staff_identities.created_at', 'withdrawn_at'])
    .where('staff_users.id', '=', userId)
    .orderBy('staff_identities.id')
    .execute();
  const [first] = rows;
  const identities = rows.flatMap(({ id, withdrawn_at }) =>
    id === null ? [] : [`${id}${withdrawn_at === null ? '' : ' withdrawn'}`],
  );
  const ended = first?.ended_mark ?? null;
  const marked = ended === null ? identities : [...identities, ended];
  return {
    passwordMark: marked.length === 0 ? null : markOf('identities', marked.join(' ')),
    passwordSetAt: first?.created_at ? new Date(first.created_at) : null,
  };
}

/**
 * Reads the mark of a user's second factor, and when it was confirmed; null without one. Each set-up makes a row of its own, so the id
 * marks it; the secret would not, because a new key re-seals it.
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
