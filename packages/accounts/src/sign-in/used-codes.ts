import { hash } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import { isUserGone } from '../database/driver-errors.ts';
import type { StaffDatabase } from '../database/tables.ts';

/** Longer than any code is valid. */
const KEPT_MS = 10 * 60 * 1_000;

/** Lets each TOTP code sign in once (RFC 6238, section 5.2). better-auth does not check this. */
export interface UsedCodes {
  /** Returns false if the code was used before or the user was removed. Of several requests at once with one code, one gets true. */
  take(userId: string, code: string): Promise<boolean>;
  /** Releases a wrong code: it may be right at a later time. */
  giveBack(userId: string, code: string): Promise<void>;
}

export function createUsedCodes(database: () => Promise<StaffDatabase>, clock: Clock): UsedCodes {
  return {
    async take(userId, code) {
      const db = await database();
      const now = clock.now();
      await db
        .deleteFrom('staff_used_codes')
        .where('used_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
        .execute();
      const taken = await db
        .insertInto('staff_used_codes')
        .values({ user_id: userId, code_hash: hashOf(userId, code), used_at: now.toISOString() })
        .onConflict((conflict) => conflict.columns(['user_id', 'code_hash']).doNothing())
        .returning('user_id')
        .executeTakeFirst()
        .catch(unlessUserGone);
      return taken !== undefined;
    },
    async giveBack(userId, code) {
      const db = await database();
      await db
        .deleteFrom('staff_used_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hashOf(userId, code))
        .execute();
    },
  };
}

function unlessUserGone(error: unknown): undefined {
  if (!isUserGone(error)) throw error;
}

function hashOf(userId: string, code: string): string {
  return hash('sha256', `${userId} ${code}`, 'base64url');
}
