import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import { STAFF_SESSION, type StaffSession, type User } from '@countersign/domain/staff';
import type { StaffDatabase } from '../database/tables.ts';
import { hashOfToken } from '../database/token-hash.ts';
import { unlessUserGone } from '../errors.ts';
import { columnsOf, userOf } from '../staff/users.ts';

const TOKEN_BYTES = 32;

/** Minimum time between two updates of a session's last use. */
const SEEN_EVERY_MS: number = 5 * 60 * 1_000;

/** A session with the user's setting of a second factor. */
export interface FoundSession extends StaffSession {
  readonly hasSecondFactor: boolean;
}

/** Reads sessions in one statement for each page. */
export interface Sessions {
  /** @param token value of the session cookie */
  find(token: string): Promise<FoundSession | null>;
  /** Begins a session. Returns its token; null if the user was removed. */
  begin(userId: string, options: { readonly withSecondFactor: boolean }): Promise<string | null>;
  /** Ends a session immediately, on every instance. */
  end(token: string): Promise<void>;
  /** Stores that the password was confirmed now and returns the time. Null if the session has ended. */
  confirm(token: string): Promise<Date | null>;
  /** Deletes expired sessions. */
  sweep(): Promise<void>;
  nameOf(userId: string): Promise<string | null>;
}

export function createSessions(database: () => Promise<StaffDatabase>, clock: Clock): Sessions {
  return {
    async find(token) {
      const db = await database();
      const now = clock.now();
      const row = await db
        .selectFrom('staff_sessions')
        .innerJoin('staff_users', 'staff_users.id', 'staff_sessions.user_id')
        .select(['staff_users.id', 'name', 'email', 'role', 'client_id', 'team_role', 'two_factor_enabled'])
        .select(['with_second_factor', 'last_seen_at', 'confirmed_at', 'staff_sessions.created_at as begun_at'])
        .where('token', '=', hashOfToken(token))
        .where('expires_at', '>', now.toISOString())
        .where('last_seen_at', '>', before(now, STAFF_SESSION.idleSeconds * 1_000))
        .executeTakeFirst();
      if (row === undefined) return null;
      if (new Date(row.last_seen_at) <= new Date(before(now, SEEN_EVERY_MS))) await seen(db, token, now);
      const user: User = userOf(row);
      return {
        user,
        signedInAt: new Date(row.begun_at),
        withSecondFactor: Boolean(row.with_second_factor),
        confirmedAt: row.confirmed_at === null ? null : new Date(row.confirmed_at),
        hasSecondFactor: Boolean(row.two_factor_enabled),
      };
    },

    async begin(userId, { withSecondFactor }) {
      const db = await database();
      const now = clock.now();
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const at = now.toISOString();
      const begun = await db
        .insertInto('staff_sessions')
        .values((is) => ({
          id: randomUUID(),
          user_id: userId,
          token: hashOfToken(token),
          with_second_factor: is.lit(withSecondFactor),
          last_seen_at: at,
          expires_at: new Date(now.getTime() + STAFF_SESSION.seconds * 1_000).toISOString(),
          created_at: at,
          updated_at: at,
        }))
        .returning('id')
        .executeTakeFirst()
        .catch(unlessUserGone);
      return begun === undefined ? null : token;
    },

    async end(token) {
      const db = await database();
      await db.deleteFrom('staff_sessions').where('token', '=', hashOfToken(token)).execute();
    },

    async confirm(token) {
      const db = await database();
      const now = clock.now();
      const row = await db
        .updateTable('staff_sessions')
        .set({ confirmed_at: now.toISOString() })
        .where('token', '=', hashOfToken(token))
        .returning('user_id')
        .executeTakeFirst();
      return row === undefined ? null : now;
    },

    async sweep() {
      const db = await database();
      const now = clock.now();
      await db
        .deleteFrom('staff_sessions')
        .where((is) =>
          is.or([
            is('expires_at', '<=', now.toISOString()),
            is('last_seen_at', '<=', before(now, STAFF_SESSION.idleSeconds * 1_000)),
          ]),
        )
        .execute();
    },

    async nameOf(userId) {
      return (await columnsOf(await database(), userId, ['name']))?.name ?? null;
    },
  };
}

async function seen(db: StaffDatabase, token: string, now: Date): Promise<void> {
  await db
    .updateTable('staff_sessions')
    .set({ last_seen_at: now.toISOString() })
    .where('token', '=', hashOfToken(token))
    .execute();
}

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}
